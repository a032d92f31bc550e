package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.util.Comparator;

/**
 * What says which of a decision's transitions is the newest: its revision, then when it was joined.
 * Should one id stand for two decisions, the earlier one counts. Greater is newer.
 */
record Copy(int revision, long joinedAtMicros, long decidedAtMicros) implements Comparable<Copy> {

  private static final Comparator<Copy> BY_AGE =
      Comparator.comparingInt(Copy::revision)
          .thenComparingLong(Copy::joinedAtMicros)
          .thenComparing(Comparator.comparingLong(Copy::decidedAtMicros).reversed());

  static Copy of(Transition transition) {
    return new Copy(
        transition.getRevision(),
        transition.getJoinedAtMicros(),
        transition.getDecision().getDecidedAtMicros());
  }

  @Override
  public int compareTo(Copy other) {
    return BY_AGE.compare(this, other);
  }
}
