package io.bellwether.trainer.exports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the transitions of an archive to one file, in the order of the archive, of each decision
 * the newest revision. Streams; the file has its name when it is complete. Confined to one thread.
 */
public final class ArchiveExport {

  private static final int DECISIONS_PER_PROGRESS = 100_000;
  private static final int EXAMPLES = 5;

  private final Surface surface;
  private final Format format;
  private final Consumer<String> progress;

  /** What is written. */
  public enum Format {
    /** VW's decision service JSON, gzipped where the name ends with .gz. */
    DSJSON,
    /** One object a line, with all candidates, gzipped where the name ends with .gz. */
    JSONL,
    /** A flat table, one row per shown item. */
    PARQUET
  }

  /**
   * What came of it. Immutable.
   *
   * @param decisions written
   * @param leftOut that the format cannot say
   * @param examples why the first of these were left out
   * @param mapping the file by which the export can be imported again; only for JSON lines
   */
  public record Exported(
      Path file, long decisions, long leftOut, List<String> examples, Optional<Path> mapping) {
    public Exported {
      examples = List.copyOf(examples);
    }
  }

  /**
   * @param surface whose decisions are exported
   * @param progress takes a line now and then
   */
  public ArchiveExport(Surface surface, Format format, Consumer<String> progress) {
    this.surface = surface;
    this.format = format;
    this.progress = progress;
  }

  /**
   * Exports the decisions of a time.
   *
   * @param archive the archive's root
   * @param from the first moment
   * @param until the first moment after it
   * @param file takes the place of an earlier one
   */
  public Exported run(Path archive, Instant from, Instant until, Path file) throws IOException {
    Path target = file.toAbsolutePath();
    Path draft = target.resolveSibling("." + target.getFileName() + ".exporting");
    Files.deleteIfExists(draft);
    long first = micros(from);
    long end = micros(until);
    long written = 0;
    long leftOut = 0;
    boolean propensities = false;
    List<String> examples = new ArrayList<>();
    try (ExportFile out = open(draft, target.toString().endsWith(".gz"));
        TransitionArchive.Transitions rows = new TransitionArchive(archive).read(surface.name())) {
      while (rows.hasNext()) {
        Transition row = rows.next();
        long decided = row.getDecision().getDecidedAtMicros();
        if (decided < first || decided >= end) {
          continue;
        }
        Optional<String> obstacle = out.write(row);
        if (obstacle.isEmpty()) {
          written++;
          propensities |= !row.getDecision().getPropensityKind().equals("NONE");
        } else {
          leftOut++;
          if (examples.size() < EXAMPLES) {
            examples.add(obstacle.get());
          }
        }
        if ((written + leftOut) % DECISIONS_PER_PROGRESS == 0) {
          progress.accept(surface.name() + ": " + written + " decisions exported");
        }
      }
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    Optional<Path> mapping = mapping(target, propensities);
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return new Exported(file, written, leftOut, examples, mapping);
  }

  private Optional<Path> mapping(Path target, boolean propensities) throws IOException {
    if (format != Format.JSONL) {
      return Optional.empty();
    }
    Path mapping = target.resolveSibling(target.getFileName() + ".mapping.yaml");
    Files.writeString(mapping, ExportMapping.yaml(surface, propensities), UTF_8);
    return Optional.of(mapping);
  }

  private ExportFile open(Path file, boolean zipped) throws IOException {
    return switch (format) {
      case DSJSON -> new TextFile(file, zipped, TextFile.dsjson(surface));
      case JSONL -> new TextFile(file, zipped, TextFile.jsonLines(surface));
      case PARQUET -> new ParquetTable(file, surface);
    };
  }

  private static long micros(Instant time) {
    if (time.equals(Instant.MIN) || time.equals(Instant.MAX)) {
      return time.equals(Instant.MIN) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
