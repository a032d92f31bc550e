package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Observation;
import java.util.Comparator;

/**
 * An outcome as its decision keeps it. Also Flink state, hence public.
 *
 * @param outcomeId two outcomes with one id are one outcome
 * @param position 0-based position of the item; -1 for the slate as a whole
 * @param value finite, never -0.0
 * @param occurredAtMicros microseconds since the epoch
 * @param inside whether it happened inside its signal's window
 * @param receivedAtMicros when it was taken in, microseconds since the epoch; when it happened,
 *     where state from before this was kept says 0
 */
public record Observed(
    String outcomeId,
    String signal,
    int position,
    double value,
    long occurredAtMicros,
    boolean inside,
    long receivedAtMicros) {

  public Observed {
    receivedAtMicros = receivedAtMicros == 0 ? occurredAtMicros : receivedAtMicros;
  }

  /** The order in which outcomes are aggregated, whatever order they came in. */
  static final Comparator<Observed> IN_TIME = Observed::compareInTime;

  private static int compareInTime(Observed a, Observed b) {
    int order = Long.compare(a.occurredAtMicros, b.occurredAtMicros);
    order = order != 0 ? order : a.outcomeId.compareTo(b.outcomeId);
    order = order != 0 ? order : a.signal.compareTo(b.signal);
    order = order != 0 ? order : Integer.compare(a.position, b.position);
    order = order != 0 ? order : Double.compare(a.value, b.value);
    order = order != 0 ? order : Boolean.compare(a.inside, b.inside);
    return order != 0 ? order : Long.compare(a.receivedAtMicros, b.receivedAtMicros);
  }

  /**
   * The one of two that counts where a sender used one id twice: the earlier one, so that it does
   * not matter which came first.
   */
  Observed or(Observed other) {
    return IN_TIME.compare(this, other) <= 0 ? this : other;
  }

  /** The same in a transition, without what a declaration makes of it. */
  Observation observation() {
    return new Observation(outcomeId, signal, position, value, occurredAtMicros, receivedAtMicros);
  }
}
