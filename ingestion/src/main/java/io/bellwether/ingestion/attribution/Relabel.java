package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.session.DueTime;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What transitions say under a surface's declaration of another day, and as of an earlier time,
 * computed from the outcomes that they hold; the log stays as it is.
 *
 * <p>Signals, their counts and the time of knowing are computed anew. The place in a session stays,
 * except that an end which nobody knew of yet becomes a truncation. An outcome whose signal is no
 * longer declared, or no longer takes its value, does not count. What was refused when it came, or
 * came when its decision was let go already, is in no transition and so cannot come back here.
 *
 * <p>The answer depends on the transition, the declaration and the time alone; under the
 * declaration that a transition was made with, and as of now, it is that transition to the byte.
 * Immutable; answers share the decision with what they were made from. Travels to tasks.
 */
public final class Relabel implements Serializable {

  private static final long serialVersionUID = 1;

  private static final long NOW = Long.MAX_VALUE;

  private final Attribution attribution;
  private final DueTime due;
  private final @Nullable String endsWith;
  private final long asOfMicros;

  private Relabel(
      Attribution attribution, DueTime due, @Nullable String endsWith, long asOfMicros) {
    this.attribution = attribution;
    this.due = due;
    this.endsWith = endsWith;
    this.asOfMicros = asOfMicros;
  }

  /** By the signals and windows of this declaration, with all that is known by now. */
  public static Relabel under(Surface surface) {
    return new Relabel(
        new Attribution(surface),
        DueTime.of(surface),
        surface.sessions().endsWith().orElse(null),
        NOW);
  }

  /** The same with what was known at a time, this moment included. */
  public Relabel asOf(Instant time) {
    long micros =
        Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1000);
    return new Relabel(attribution, due, endsWith, micros);
  }

  /**
   * Whether a transition was known at that time: its windows and its session's gap were over. What
   * was not is left out of data as of then.
   */
  public boolean knows(Transition transition) {
    return asOfMicros == NOW
        || due.dueMillis(transition.getDecision().getDecidedAtMicros())
            <= Math.floorDiv(asOfMicros, 1000);
  }

  /**
   * Whether a transition holds its outcomes. One that was written before they were kept does not,
   * and {@link #relabel} leaves it as it is.
   */
  public static boolean keepsOutcomes(Transition transition) {
    return !transition.getOutcomes().isEmpty()
        || transition.getOutcomeCount() + transition.getOutsideWindow() == 0;
  }

  /** The transition anew, with its revision; the same object where it does not hold outcomes. */
  public Transition relabel(Transition transition) {
    if (!keepsOutcomes(transition)) {
      return transition;
    }
    long decidedAtMicros = transition.getDecision().getDecidedAtMicros();
    List<Observation> known = new ArrayList<>(transition.getOutcomes().size());
    List<Observed> observed = new ArrayList<>(transition.getOutcomes().size());
    for (Observation outcome : transition.getOutcomes()) {
      if (outcome.getReceivedAtMicros() <= asOfMicros) {
        known.add(outcome);
        attribution.observe(decidedAtMicros, outcome).ifPresent(observed::add);
      }
    }
    Attributed now = attribution.conclude(observed, transition.getDecision().getSlate().size());
    boolean unseen =
        transition.getTerminated()
            && known.size() < transition.getOutcomes().size()
            && !ends(now.signals());
    return new Transition(
        transition.getDecision(),
        now.signals(),
        now.outcomeCount(),
        now.outsideWindow(),
        transition.getSessionId(),
        transition.getStep(),
        transition.getNextDecisionId(),
        transition.getTerminated() && !unseen,
        transition.getTruncated() || unseen,
        transition.getRevision(),
        due.joinedAtMicros(decidedAtMicros, known),
        known);
  }

  private boolean ends(List<SignalValue> signals) {
    for (SignalValue value : signals) {
      if (value.getValue() == 1 && value.getSignal().equals(endsWith)) {
        return true;
      }
    }
    return false;
  }
}
