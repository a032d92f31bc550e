package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.erasure.ErasedSubjects;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes one sorted file of all files of a day, in {@link NormalForm}. The running job goes on
 * writing beside it, and what it restates later counts. Readers go on with the files that they have
 * found: those stay for the time of grace.
 */
public final class ArchiveCompaction {

  /** Longer than any reading takes. */
  public static final Duration GRACE = Duration.ofHours(24);

  static final long MEMORY = 64L << 20;

  private final Path root;
  private final Duration grace;
  private final Clock clock;
  private final long memory;

  /**
   * @param root of the archive
   * @param grace how long a replaced file stays on disk
   */
  public ArchiveCompaction(Path root, Duration grace, Clock clock) {
    this(root, grace, clock, MEMORY);
  }

  ArchiveCompaction(Path root, Duration grace, Clock clock, long memory) {
    this.root = root;
    this.grace = grace;
    this.clock = clock;
    this.memory = memory;
  }

  /**
   * A day that was compacted, or of which replaced files were removed.
   *
   * @param files how many became one; 0 where the day was compacted before
   * @param rowsBefore transitions in them, all revisions
   * @param rows transitions that are left
   * @param removed files whose time of grace was over
   */
  public record Compacted(
      String surface, LocalDate day, int files, long rowsBefore, long rows, int removed) {}

  /**
   * Compacts the days that have more than one file, or a file that is not in normal form.
   *
   * @param surfaces which; empty for all
   * @param minFiles days with fewer files stay as they are
   * @param progress told of each day of which something has changed
   */
  public List<Compacted> compact(List<String> surfaces, int minFiles, Consumer<Compacted> progress)
      throws IOException {
    List<Compacted> all = new ArrayList<>();
    try (ArchiveLock lock = ArchiveLock.take(root, ArchiveLock.PATIENCE)) {
      ErasedSubjects erased = ErasedSubjects.in(root);
      for (DayFolder day : DayFolder.ofAll(root)) {
        if (surfaces.isEmpty() || surfaces.contains(day.surface())) {
          Compacted compacted = compact(day, minFiles, erased);
          if (compacted.files() > 0 || compacted.removed() > 0) {
            all.add(compacted);
            progress.accept(compacted);
          }
        }
      }
    }
    return all;
  }

  private Compacted compact(DayFolder day, int minFiles, ErasedSubjects erased) throws IOException {
    Instant now = clock.instant();
    DayRewrite rewrite = new DayRewrite(day, now, memory);
    rewrite.tidy();
    List<Path> visible = day.contents().visible();
    long rowsBefore = 0;
    long rows = 0;
    int files = 0;
    if (visible.size() >= minFiles && !isCompacted(visible)) {
      Manifest before = rewrite.seal();
      rowsBefore = before.files().stream().mapToLong(ArchiveFile::rows).sum();
      files = before.files().size();
      rows =
          rewrite.rewrite(
              row ->
                  !erased.covers(
                      row.getDecision().getSubjectId(), row.getDecision().getDecidedAtMicros()));
    }
    int removed = rewrite.sweep(now.minus(grace));
    return new Compacted(day.surface(), day.day(), files, rowsBefore, rows, removed);
  }

  private static boolean isCompacted(List<Path> visible) {
    return visible.isEmpty()
        || (visible.size() == 1
            && ArchiveLayout.isCompacted(visible.get(0).getFileName().toString()));
  }
}
