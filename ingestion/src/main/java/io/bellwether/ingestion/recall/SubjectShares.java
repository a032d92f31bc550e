package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.archive.ArchiveStatus;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * An archive read several times, each time for a share of the subjects, so that what is held of a
 * share fits in memory. Immutable.
 *
 * @param count how many shares there are, at least 1
 */
record SubjectShares(Path archive, String surface, int count) {

  private static final long MEMORY_BYTES = 256L << 20;

  /**
   * As many shares as it takes.
   *
   * @param bytesEach what is held of a transition
   */
  static SubjectShares of(Path archive, String surface, long bytesEach) throws IOException {
    long rows =
        ArchiveStatus.of(archive, List.of(surface)).stream().mapToLong(ArchiveStatus::rows).sum();
    return new SubjectShares(
        archive, surface, (int) Math.min(1 << 16, 1 + rows * bytesEach / MEMORY_BYTES));
  }

  /** Reads the newest transitions of one share's subjects, in the order of files. */
  void read(int share, Consumer<Transition> consumer) {
    try (TransitionArchive.Transitions all = new TransitionArchive(archive).read(surface)) {
      while (all.hasNext()) {
        Transition next = all.next();
        if (shareOf(next.getDecision().getSubjectId()) == share) {
          consumer.accept(next);
        }
      }
    }
  }

  /** Knuth's multiplier spreads ids that count up. */
  private int shareOf(String subjectId) {
    return Math.floorMod((subjectId.hashCode() * 0x9E3779B1) >>> 8, count);
  }
}
