package io.bellwether.trainer.data;

import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which of a source's decisions an evaluation reads. Nothing in it depends on an outcome.
 * Immutable.
 *
 * @param subjects whose decisions are used
 * @param from when the first decisions were made; absent for the beginning
 * @param to before when the last ones were; absent for the end
 * @param asOf what was joined later counts as not known yet, so that a report can be made again
 *     after data was restated; absent for all that there is
 */
public record Selection(
    Subjects subjects, @Nullable Instant from, @Nullable Instant to, @Nullable Instant asOf)
    implements Serializable {

  private static final long serialVersionUID = 1;

  public Selection {
    if (from != null && to != null && !from.isBefore(to)) {
      throw new IllegalArgumentException("no decision is from " + from + " and before " + to);
    }
  }

  /** Every decision, as known now. */
  public static Selection all() {
    return new Selection(Subjects.all(), null, null, null);
  }

  /** Whether a transition was joined when the report says that it looks. */
  public boolean isKnown(long joinedAtMicros) {
    return asOf == null || joinedAtMicros <= micros(asOf);
  }

  /** Whether a decision was made in the range. */
  public boolean isInRange(long decidedAtMicros) {
    return (from == null || decidedAtMicros >= micros(from))
        && (to == null || decidedAtMicros < micros(to));
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** For fingerprints and reports: every part in a fixed order. */
  public String words() {
    return subjects.words()
        + (from == null ? "" : ", from " + from)
        + (to == null ? "" : ", before " + to)
        + (asOf == null ? "" : ", as of " + asOf);
  }
}
