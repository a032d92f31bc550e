package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;

/**
 * The finished files of an archive. Of each decision only the transition of the highest revision is
 * read.
 *
 * <p>Memory is one row group of one file, and one entry per decision that was ever restated. Files
 * that are added after {@link #read} was called are not seen by that reading. Thread-safe.
 */
public final class TransitionArchive {

  private static final String ID = "decisionId";
  private static final String REVISION = "revision";

  private final Path root;

  /**
   * @param root the folder that holds {@code surface=NAME/day=YYYY-MM-DD/part-*.parquet}
   */
  public TransitionArchive(Path root) {
    this.root = root;
  }

  /** Transitions of one reading; whoever reads closes it. Confined to one thread. */
  public interface Transitions extends Iterator<Transition>, AutoCloseable {
    @Override
    void close();
  }

  /** The finished files of a surface, in the order of days and then of names. */
  public List<Path> files(String surface) {
    Path folder = root.resolve(ArchiveLayout.surfaceFolder(surface));
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files
          .filter(f -> ArchiveLayout.isFinished(f.getFileName().toString()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the archive in " + folder, e);
    }
  }

  /**
   * The transitions of a surface, in the order of files and rows; none where there is no archive.
   */
  public Transitions read(String surface) {
    return read(files(surface));
  }

  /** The transitions of these files, in their order. */
  public Transitions read(List<Path> files) {
    return new LatestRevisions(files, restated(files));
  }

  /** The highest revision of each decision that has one above 0. */
  private static Map<String, Integer> restated(List<Path> files) {
    Map<String, Integer> highest = new HashMap<>();
    for (Path file : files) {
      try (ParquetReader<GenericRecord> rows = idsAndRevisions(file)) {
        GenericRecord row;
        while ((row = rows.read()) != null) {
          int revision = (int) row.get(REVISION);
          if (revision > 0) {
            String id = ((GenericRecord) row.get("decision")).get(ID).toString();
            highest.merge(id, revision, Math::max);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read revisions from " + file, e);
      }
    }
    return highest;
  }

  private static ParquetReader<GenericRecord> idsAndRevisions(Path file) throws IOException {
    Schema decision = SchemaBuilder.record("Decision").fields().requiredString(ID).endRecord();
    Schema projection =
        SchemaBuilder.record("Transition")
            .fields()
            .name("decision")
            .type(decision)
            .noDefault()
            .requiredInt(REVISION)
            .endRecord();
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set(AvroReadSupport.AVRO_REQUESTED_PROJECTION, projection.toString());
    configuration.set("parquet.avro.read.schema", projection.toString());
    return AvroParquetReader.<GenericRecord>builder(open(file), configuration).build();
  }

  private static ParquetReader<Transition> transitions(Path file) throws IOException {
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set("parquet.avro.read.schema", Transition.getClassSchema().toString());
    return AvroParquetReader.<Transition>builder(open(file), configuration)
        .withDataModel(SpecificData.getForClass(Transition.class))
        .build();
  }

  private static InputFile open(Path file) {
    return new LocalInputFile(file);
  }

  private static final class LatestRevisions implements Transitions {

    private final Iterator<Path> files;
    private final Map<String, Integer> pending;
    private @Nullable Path file;
    private @Nullable ParquetReader<Transition> rows;
    private @Nullable Transition next;

    LatestRevisions(List<Path> files, Map<String, Integer> restated) {
      this.files = files.iterator();
      this.pending = restated;
    }

    @Override
    public boolean hasNext() {
      while (next == null) {
        Transition row = row();
        if (row == null) {
          return false;
        }
        if (counts(row)) {
          next = row;
        }
      }
      return true;
    }

    @Override
    public Transition next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Transition row = next;
      next = null;
      return Objects.requireNonNull(row);
    }

    private boolean counts(Transition row) {
      String id = row.getDecision().getDecisionId();
      Integer highest = pending.get(id);
      if (highest == null) {
        return true;
      }
      if (row.getRevision() != highest) {
        return false;
      }
      // Should the same revision stand in two files, the first one counts.
      pending.put(id, Integer.MAX_VALUE);
      return true;
    }

    private @Nullable Transition row() {
      try {
        while (true) {
          if (rows != null) {
            Transition row = rows.read();
            if (row != null) {
              return row;
            }
            rows.close();
            rows = null;
          }
          if (!files.hasNext()) {
            return null;
          }
          file = files.next();
          rows = transitions(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read transitions from " + file, e);
      }
    }

    @Override
    public void close() {
      try {
        if (rows != null) {
          rows.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close " + file, e);
      }
    }
  }
}
