package io.bellwether.ingestion.attribution;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is held under one decision id: state of {@link AttributeOutcomes}, public so that Flink
 * serializes it as a record. One object, so that an event costs one look at the state. The lists
 * grow in place; confined to the task's thread.
 *
 * @param join null until the decision comes
 * @param observed its distinct outcomes, in the order in which they came
 * @param parked outcomes that wait for it, in the order in which they came
 */
public record Gathered(@Nullable JoinState join, List<Observed> observed, List<Parked> parked) {

  private static final int FEW = 4;

  static Gathered nothing() {
    return new Gathered(null, new ArrayList<>(0), new ArrayList<>(FEW));
  }

  /** The same with a decision that has just come, for which nothing waits any longer. */
  Gathered decided(JoinState now) {
    return new Gathered(now, new ArrayList<>(FEW), new ArrayList<>(0));
  }

  Gathered with(JoinState now) {
    return new Gathered(now, observed, parked);
  }

  /** Event time at which the first of those that wait is given up; the end of time for none. */
  long givenUpAtMillis() {
    long first = Long.MAX_VALUE;
    for (Parked outcome : parked) {
      first = Math.min(first, outcome.unknownAtMillis());
    }
    return first;
  }

  /** The place of an outcome among those observed; -1 where it is none of them. */
  int indexOf(String outcomeId) {
    for (int i = 0; i < observed.size(); i++) {
      if (observed.get(i).outcomeId().equals(outcomeId)) {
        return i;
      }
    }
    return -1;
  }
}
