package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns a log of any format into an archive of transitions of a surface.
 *
 * <p>Three steps, none of which keeps the log in memory: what can be read is checked, encoded and
 * sorted by subject; each subject's decisions are linked into sessions and get their history; all
 * are sorted by time and written. What cannot be read or used goes to {@code rejects.tsv} with
 * file, line and reason. The archive appears under its name when it is complete, in place of an
 * earlier one, and holds the same bytes however often the import was interrupted: what was read by
 * then is not read again unless a file, the surface or a setting has changed. Confined to one
 * thread.
 */
public final class LogImport {

  /** What is held in memory while it is sorted. */
  private static final long MEMORY_BYTES = 64L << 20;

  private static final int ENTRIES_PER_PROGRESS = 100_000;
  private static final String ROWS = "rows";
  private static final String IDS = "ids";
  private static final String LINKED = "linked";

  private final Surface surface;
  private final Options options;
  private final Consumer<String> progress;
  private final long memoryBytes;
  private final EventCodec<Transition> codec = EventCodec.of(Transition.class);

  /**
   * How a log is imported.
   *
   * @param dryRun read and check everything, and write nothing
   * @param estimatePropensities give decisions without propensities estimated ones, marked so
   */
  public record Options(boolean dryRun, boolean estimatePropensities) {}

  /**
   * @param surface the declaration that decisions are encoded by
   * @param progress takes a line now and then
   */
  public LogImport(Surface surface, Options options, Consumer<String> progress) {
    this(surface, options, progress, MEMORY_BYTES);
  }

  LogImport(Surface surface, Options options, Consumer<String> progress, long memoryBytes) {
    this.surface = surface;
    this.options = options;
    this.progress = progress;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Imports a log, or goes on with an import that was interrupted.
   *
   * @param into the folder that holds archives of imports; this one's has the source's name
   * @throws ImportRefused where the log as a whole cannot be read, or has no decision that can
   */
  public ImportSummary run(ImportSource source, Path into) throws IOException {
    for (Path file : source.files()) {
      if (!Files.isRegularFile(file)) {
        throw new ImportRefused(
            file
                + (Files.exists(file) ? " is not a file" : " does not exist; give the log's file"));
      }
    }
    if (options.dryRun()) {
      return dryRun(source);
    }
    Files.createDirectories(into);
    Path lockFile = into.resolve("." + source.name() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = lock(channel)) {
      if (lock == null) {
        throw new ImportRefused("another process is importing " + source.name() + " into " + into);
      }
      return imported(source, into);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private ImportSummary dryRun(ImportSource source) throws IOException {
    Path scratch = Files.createTempDirectory("bellwether-dry-run-");
    try {
      DecisionStatistics statistics = new DecisionStatistics(false);
      UnfinishedImport unfinished = UnfinishedImport.begin(scratch, "dry run");
      ReadTally tally = unfinished.tally();
      read(source, unfinished, statistics);
      long duplicates = duplicates(unfinished).cardinality();
      return summary(source, unfinished, tally, duplicates, statistics, Optional.empty());
    } finally {
      FolderTree.delete(scratch);
    }
  }

  private ImportSummary imported(ImportSource source, Path into) throws IOException {
    Path target = into.resolve(source.name());
    UnfinishedImport unfinished =
        UnfinishedImport.at(
            into.resolve("." + source.name() + ".importing"),
            Fingerprint.of(source, surface, options));
    try {
      if (unfinished.tally().entries > 0) {
        progress.accept(
            "%s: goes on after %d entries".formatted(source.name(), unfinished.tally().entries));
      }
      read(source, unfinished, null);
      if (unfinished.tally().accepted == 0) {
        throw nothing(source, unfinished);
      }
      BitSet duplicates = duplicates(unfinished);
      progress.accept(source.name() + ": linking sessions");
      ExternalSort linked = linked(source, unfinished, duplicates);
      progress.accept(source.name() + ": writing the archive");
      DecisionStatistics statistics = write(source, unfinished, linked);
      Path archive = unfinished.archive();
      boolean rejects = Files.size(unfinished.rejects()) > Rejects.HEADER_BYTES;
      if (rejects) {
        Files.copy(unfinished.rejects(), archive.resolve("rejects.tsv"));
      }
      ImportSummary summary =
          summary(
              source,
              unfinished,
              unfinished.tally(),
              duplicates.cardinality(),
              statistics,
              Optional.of(target));
      unfinished.moveTo(target);
      return summary;
    } catch (ImportRefused e) {
      unfinished.delete();
      throw e;
    }
  }

  private static ImportRefused nothing(ImportSource source, UnfinishedImport unfinished)
      throws IOException {
    List<String> examples = Rejects.examples(unfinished.rejects());
    return new ImportRefused(
        "%s: none of %d entries can be imported%s"
            .formatted(
                source.name(),
                unfinished.tally().entries,
                examples.isEmpty() ? "" : "; the first: " + examples.get(0)));
  }

  /** Reads on from where the tally stands. */
  private void read(
      ImportSource source, UnfinishedImport unfinished, @Nullable DecisionStatistics statistics)
      throws IOException {
    ReadTally tally = unfinished.tally();
    if (tally.complete) {
      return;
    }
    ImportedDecisions decisions = new ImportedDecisions(source, surface, tally);
    ExternalSort rows = new ExternalSort(unfinished.folder(), ROWS, tally.rowRuns);
    ExternalSort ids = new ExternalSort(unfinished.folder(), IDS, tally.idRuns);
    try (LogReader reader = source.opener().open();
        Rejects rejects = Rejects.open(unfinished.rejects(), tally.rejectsBytes)) {
      for (long skipped = 0; skipped < tally.entries; skipped++) {
        reader.next();
      }
      for (LogReader.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        tally.entries++;
        if (entry instanceof LogReader.Rejected rejected) {
          tally.reject(rejected.reason());
          rejects.write(rejected.origin(), rejected.reason(), rejected.text());
        } else if (entry instanceof LogReader.Read read) {
          LoggedDecision logged = read.decision();
          try {
            Transition transition = decisions.of(logged);
            if (statistics == null) {
              rows.add(rowKey(transition, tally.accepted), codec.encode(transition));
            } else {
              statistics.add(transition);
            }
            ids.add(
                idKey(transition, tally.accepted), Rejects.place(logged.origin()).getBytes(UTF_8));
            tally.accepted++;
          } catch (UnreadableLine e) {
            String reason = String.valueOf(e.getMessage());
            tally.reject(reason);
            rejects.write(logged.origin(), reason, logged.decisionId());
          }
        }
        if (rows.pendingBytes() + ids.pendingBytes() >= memoryBytes) {
          keep(unfinished, rows, ids, rejects);
        }
        if (tally.entries % ENTRIES_PER_PROGRESS == 0) {
          progress.accept(
              "%s: %d entries, %d rejected, %.0f %%"
                  .formatted(
                      source.name(), tally.entries, tally.rejected, 100 * reader.progress()));
        }
      }
      tally.complete = true;
      keep(unfinished, rows, ids, rejects);
    }
  }

  private static void keep(
      UnfinishedImport unfinished, ExternalSort rows, ExternalSort ids, Rejects rejects)
      throws IOException {
    rows.flush();
    ids.flush();
    ReadTally tally = unfinished.tally();
    tally.rowRuns = rows.runs();
    tally.idRuns = ids.runs();
    tally.rejectsBytes = rejects.flush();
    unfinished.keep();
  }

  /** Which of the accepted decisions, by number, have the id of an earlier one. */
  private static BitSet duplicates(UnfinishedImport unfinished) throws IOException {
    BitSet duplicates = new BitSet();
    ReadTally tally = unfinished.tally();
    ExternalSort ids = new ExternalSort(unfinished.folder(), IDS, tally.idRuns);
    byte[] id = {};
    String firstPlace = "";
    try (ExternalSort.Sorted sorted = ids.sorted();
        Rejects rejects = Rejects.open(unfinished.rejects(), tally.rejectsBytes)) {
      while (sorted.advance()) {
        byte[] key = sorted.key();
        int length = key.length - Long.BYTES;
        String place = new String(sorted.value(), UTF_8);
        if (length == id.length && Arrays.equals(key, 0, length, id, 0, length)) {
          long number = ByteBuffer.wrap(key).getLong(length);
          duplicates.set(Math.toIntExact(number));
          rejects.write(
              place,
              "has the decision id of " + firstPlace.replace("\t", " line ") + ", which was taken",
              new String(key, 0, length - 1, UTF_8));
        } else {
          id = Arrays.copyOf(key, length);
          firstPlace = place;
        }
      }
    }
    return duplicates;
  }

  private ExternalSort linked(ImportSource source, UnfinishedImport unfinished, BitSet duplicates)
      throws IOException {
    ItemCounts counts = new ItemCounts();
    if (options.estimatePropensities()) {
      forEachRow(unfinished, duplicates, counts::count);
    }
    ExternalSort linked = new ExternalSort(unfinished.folder(), LINKED, 0);
    SubjectLinks links =
        new SubjectLinks(
            surface,
            transition -> {
              linked.add(timeKey(transition), codec.encode(transition));
              if (linked.pendingBytes() >= memoryBytes) {
                linked.flush();
              }
            });
    long[] done = {0};
    forEachRow(
        unfinished,
        duplicates,
        transition -> {
          if (options.estimatePropensities()) {
            counts.estimate(transition);
          }
          links.add(transition);
          if (++done[0] % ENTRIES_PER_PROGRESS == 0) {
            progress.accept(
                "%s: %d of %d decisions linked"
                    .formatted(source.name(), done[0], unfinished.tally().accepted));
          }
        });
    links.finish();
    return linked;
  }

  /** The accepted decisions that are no duplicates, subject by subject in the order of time. */
  private void forEachRow(UnfinishedImport unfinished, BitSet duplicates, SubjectLinks.Out out)
      throws IOException {
    ExternalSort rows = new ExternalSort(unfinished.folder(), ROWS, unfinished.tally().rowRuns);
    try (ExternalSort.Sorted sorted = rows.sorted()) {
      while (sorted.advance()) {
        byte[] key = sorted.key();
        long number = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
        if (!duplicates.get(Math.toIntExact(number))) {
          out.accept(decoded(sorted.value()));
        }
      }
    }
  }

  private DecisionStatistics write(
      ImportSource source, UnfinishedImport unfinished, ExternalSort linked) throws IOException {
    DecisionStatistics statistics = new DecisionStatistics(true);
    try (ExternalSort.Sorted sorted = linked.sorted();
        TransitionArchiveWriter archive =
            new TransitionArchiveWriter(unfinished.emptyArchive(), source.name())) {
      while (sorted.advance()) {
        Transition transition = decoded(sorted.value());
        archive.write(transition);
        statistics.add(transition);
        if (statistics.decisions() % ENTRIES_PER_PROGRESS == 0) {
          progress.accept(
              "%s: %d decisions written".formatted(source.name(), statistics.decisions()));
        }
      }
    }
    return statistics;
  }

  private Transition decoded(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("a sorted run is damaged", e);
    }
  }

  private ImportSummary summary(
      ImportSource source,
      UnfinishedImport unfinished,
      ReadTally tally,
      long duplicates,
      DecisionStatistics statistics,
      Optional<Path> target)
      throws IOException {
    boolean any = tally.rejected + duplicates > 0;
    return new ImportSummary(
        source.name(),
        target,
        target.filter(folder -> any).map(folder -> folder.resolve("rejects.tsv")),
        tally.entries,
        tally.rejected,
        duplicates,
        ReadTally.bySize(tally.reasons),
        Rejects.examples(unfinished.rejects()),
        ReadTally.bySize(tally.reactionsLeftOut),
        ReadTally.bySize(tally.unknownFeatures),
        missing(tally),
        statistics.summary(),
        statistics.propensities(tally));
  }

  private List<String> missing(ReadTally tally) {
    List<String> missing = new ArrayList<>();
    addMissing("context", surface.context(), tally, missing);
    addMissing("item", surface.item(), tally, missing);
    return missing;
  }

  private static void addMissing(
      String place, List<Feature> features, ReadTally tally, List<String> missing) {
    for (Feature feature : features) {
      if (!tally.seenFeatures.contains(place + "." + feature.name())) {
        missing.add(place + "." + feature.name());
      }
    }
  }

  /** By subject, then time, then id, then the number in the log. No id has a byte 0. */
  private static byte[] rowKey(Transition transition, long number) {
    byte[] subject = transition.getDecision().getSubjectId().getBytes(UTF_8);
    byte[] id = transition.getDecision().getDecisionId().getBytes(UTF_8);
    return ByteBuffer.allocate(subject.length + id.length + 2 + 2 * Long.BYTES)
        .put(subject)
        .put((byte) 0)
        .putLong(transition.getDecision().getDecidedAtMicros())
        .put(id)
        .put((byte) 0)
        .putLong(number)
        .array();
  }

  private static byte[] idKey(Transition transition, long number) {
    byte[] id = transition.getDecision().getDecisionId().getBytes(UTF_8);
    return ByteBuffer.allocate(id.length + 1 + Long.BYTES)
        .put(id)
        .put((byte) 0)
        .putLong(number)
        .array();
  }

  private static byte[] timeKey(Transition transition) {
    byte[] id = transition.getDecision().getDecisionId().getBytes(UTF_8);
    return ByteBuffer.allocate(Long.BYTES + id.length)
        .putLong(transition.getDecision().getDecidedAtMicros())
        .put(id)
        .array();
  }
}
