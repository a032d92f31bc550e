package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * When a decision's transition is known, as its data say: the same delay for all decisions of a
 * surface, so that quick reactions are not over-represented among the newest transitions.
 *
 * @param after the surface's longest window and its session gap, after which neither an outcome nor
 *     a next decision can come in time
 */
public record DueTime(Duration after) implements Serializable {

  private static final long serialVersionUID = 1;

  /** For the decisions of a surface. */
  public static DueTime of(Surface surface) {
    return new DueTime(surface.longestWindow().plus(surface.sessions().gap()));
  }

  /** From when on a transition can be told, milliseconds since the epoch. */
  public long dueMillis(long decidedAtMicros) {
    return Math.floorDiv(decidedAtMicros, 1000) + after.toMillis() + 1;
  }

  /**
   * When all that a transition holds was known, microseconds since the epoch: it was due, and the
   * newest of its outcomes had been taken in.
   */
  public long joinedAtMicros(long decidedAtMicros, List<Observation> outcomes) {
    long joined = dueMillis(decidedAtMicros) * 1000;
    for (Observation outcome : outcomes) {
      joined = Math.max(joined, outcome.getReceivedAtMicros());
    }
    return joined;
  }
}
