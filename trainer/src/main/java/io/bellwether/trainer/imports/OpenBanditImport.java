package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Turns the Open Bandit Dataset's files into transitions: one archive folder per log, named by its
 * logging policy and campaign, for instance {@code random-men}. In each, {@code
 * transitions.parquet} holds the decisions joined with their clicks, {@code _outcomes.parquet} the
 * clicks alone, and {@code rejects.tsv} the lines that could not be read, with number and reason.
 *
 * <p>Streams: memory does not grow with the files. A log appears under its name only when it is
 * complete, and takes the place of an earlier import; ids depend on nothing but the files.
 *
 * <p>Source: Saito, Aihara, Matsutani and Narita, "Open Bandit Dataset and Pipeline: Towards
 * Realistic and Reproducible Off-Policy Evaluation", 2020.
 */
public final class OpenBanditImport {

  private static final int LINES_PER_PROGRESS = 100_000;

  /** Rejected lines that are told at once. */
  private static final int EXAMPLES = 3;

  private final Surface surface;
  private final Consumer<String> progress;

  /**
   * @param surface the declaration that the rows are encoded by: {@code open-bandit}
   * @param progress takes a line now and then
   */
  public OpenBanditImport(Surface surface, Consumer<String> progress) {
    this.surface = surface;
    this.progress = progress;
  }

  /**
   * Imports every log of a folder.
   *
   * @param from a folder in the data set's layout
   * @param into the folder that the archive folders are written to
   * @throws ImportRefused when the folder holds no log, or one that cannot be read at all
   */
  public ImportReport run(Path from, Path into) throws IOException {
    List<ImportReport.Log> logs = new ArrayList<>();
    for (OpenBanditFiles.Log log : OpenBanditFiles.in(from)) {
      logs.add(importLog(log, into));
    }
    return new ImportReport(logs);
  }

  /**
   * Reads and checks every log of a folder, and writes nothing that stays.
   *
   * @return what an import would come to; its folders and files are gone
   */
  public ImportReport dryRun(Path from) throws IOException {
    Path scratch = Files.createTempDirectory("bellwether-dry-run-");
    try {
      return run(from, scratch);
    } finally {
      FolderTree.delete(scratch);
    }
  }

  private ImportReport.Log importLog(OpenBanditFiles.Log log, Path into) throws IOException {
    Path unfinished = into.resolve("." + log.name() + ".importing");
    try {
      return importLog(log, into, unfinished);
    } catch (ImportRefused e) {
      FolderTree.delete(unfinished);
      throw e;
    }
  }

  private ImportReport.Log importLog(OpenBanditFiles.Log log, Path into, Path unfinished)
      throws IOException {
    OpenBanditItems items = OpenBanditItems.read(log.items(), surface);
    OpenBanditTransitions transitions = new OpenBanditTransitions(log, surface, items);
    Path target = into.resolve(log.name());
    FolderTree.delete(unfinished);
    Files.createDirectories(unfinished);
    Tally tally = new Tally();
    try (Lines lines = Lines.open(log.rows());
        TransitionArchiveWriter rows = new TransitionArchiveWriter(unfinished, log.name());
        OutcomeFile outcomes = OutcomeFile.create(unfinished.resolve("outcomes.parquet"));
        Writer rejects = Files.newBufferedWriter(unfinished.resolve("rejects.tsv"), UTF_8)) {
      OpenBanditRow.Columns columns = columns(log, lines, items);
      rejects.write("line\treason\ttext\n");
      long number = 0;
      for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
        try {
          if (line.problem() != null) {
            throw new UnreadableLine(line.problem());
          }
          OpenBanditRow row = OpenBanditRow.parse(line.text(), columns);
          Transition transition = transitions.of(number, row);
          rows.write(transition);
          Optional<Outcome> outcome = transitions.outcome(transition);
          if (outcome.isPresent()) {
            outcomes.write(outcome.get());
          }
          tally.add(row);
        } catch (UnreadableLine e) {
          tally.rejected++;
          rejects.write(line.number() + "\t" + e.getMessage() + "\t" + line.text() + "\n");
          if (tally.rejected <= EXAMPLES) {
            progress.accept(log.name() + ": line " + line.number() + " " + e.getMessage());
          }
        }
        number++;
        if (number % LINES_PER_PROGRESS == 0) {
          progress.accept(log.name() + ": " + number + " lines");
        }
      }
    }
    if (tally.rows == 0) {
      throw new ImportRefused(
          log.rows()
              + " has no line that can be read; the first: "
              + Files.readString(unfinished.resolve("rejects.tsv"))
                  .lines()
                  .skip(1)
                  .findFirst()
                  .orElse("none"));
    }
    if (tally.rejected == 0) {
      Files.delete(unfinished.resolve("rejects.tsv"));
    }
    FolderTree.delete(target);
    Files.move(unfinished, target);
    progress.accept(
        "%s: %d transitions, %d clicks, %d lines rejected"
            .formatted(log.name(), tally.rows, tally.clicks, tally.rejected));
    return tally.report(log.name(), target, items.count());
  }

  private static OpenBanditRow.Columns columns(
      OpenBanditFiles.Log log, Lines lines, OpenBanditItems items) throws IOException {
    Lines.Line header = lines.next();
    if (header == null) {
      throw new ImportRefused(log.rows() + " is empty");
    }
    try {
      if (header.problem() != null) {
        throw new UnreadableLine(header.problem());
      }
      return OpenBanditRow.Columns.of(header.text(), items.count());
    } catch (UnreadableLine e) {
      throw new ImportRefused(log.rows() + " " + e.getMessage());
    }
  }

  /** What has been imported so far. */
  private static final class Tally {
    private long rows;
    private long rejected;
    private long clicks;
    private double minPropensity = 1;
    private double inversePropensities;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    void add(OpenBanditRow row) {
      rows++;
      clicks += row.clicked() ? 1 : 0;
      minPropensity = Math.min(minPropensity, row.propensity());
      inversePropensities += 1 / row.propensity();
      first = Math.min(first, row.decidedAtMicros());
      last = Math.max(last, row.decidedAtMicros());
    }

    ImportReport.Log report(String name, Path folder, int items) {
      return new ImportReport.Log(
          name,
          folder,
          rows,
          rejected,
          rejected == 0 ? Optional.empty() : Optional.of(folder.resolve("rejects.tsv")),
          items,
          clicks,
          minPropensity,
          inversePropensities / rows,
          micros(first),
          micros(last));
    }

    private static java.time.Instant micros(long micros) {
      return java.time.Instant.EPOCH.plus(micros, java.time.temporal.ChronoUnit.MICROS);
    }
  }
}
