package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * What the log proves about one promise.
 *
 * @param value the signal's value under the target policy
 * @param valueInterval of the same, at the certificate's share of alpha
 * @param margin by how much the promise is kept; negative where it is broken. Its bounds are the
 *     lower and the upper confidence bound that the status rests on; they hold together with those
 *     of the objective and of all other promises
 */
public record Certificate(
    Constraint constraint,
    Estimate value,
    Bounds valueInterval,
    ContrastResult margin,
    Status status,
    RowsNeeded rowsNeeded) {

  public enum Status {
    /** The whole interval keeps the promise. */
    SATISFIED,
    /** The whole interval breaks it. */
    VIOLATED,
    /** Neither is shown. */
    UNDECIDED
  }

  static Status status(Bounds margin) {
    if (margin.isAtLeast(0)) {
      return Status.SATISFIED;
    }
    return margin.isBelow(0) ? Status.VIOLATED : Status.UNDECIDED;
  }

  public String words() {
    String state =
        switch (status) {
          case SATISFIED -> "is kept";
          case VIOLATED -> "is broken";
          case UNDECIDED -> "is not shown either way, " + rowsNeeded.words();
        };
    return "%s %s: margin %s, interval %s"
        .formatted(
            constraint.words(),
            state,
            margin.estimate().point().isPresent()
                ? Words.number(margin.estimate().point().getAsDouble())
                : "unknown",
            margin.bounds().words());
  }
}
