package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.SignalValue;
import java.util.Arrays;
import java.util.List;

/**
 * What is known by now of what came of one decision; each replaces the one before. Immutable by
 * convention: nobody changes the arrays.
 *
 * @param assigned whether the decision comes from an experiment, so that an exposure goes with it
 * @param decidedAtMicros microseconds since the epoch
 * @param newestMicros when the newest of it happened, microseconds since the epoch
 * @param signals of each value, its signal's place in the surface
 * @param positions of each value, the 0-based position of its item; -1 for the slate as a whole
 * @param values only what was observed
 */
public record DecisionValues(
    String surface,
    String subjectId,
    String decisionId,
    boolean assigned,
    long decidedAtMicros,
    long newestMicros,
    int[] signals,
    int[] positions,
    double[] values) {

  /** A decision's observed values; of signals that are not declared nothing is told. */
  public static DecisionValues of(
      String surface,
      String subjectId,
      String decisionId,
      boolean assigned,
      long decidedAtMicros,
      long newestMicros,
      List<SignalValue> observed,
      List<String> declared) {
    int most = observed.size();
    int[] signals = new int[most];
    int[] positions = new int[most];
    double[] values = new double[most];
    int told = 0;
    for (SignalValue value : observed) {
      int signal = declared.indexOf(value.getSignal());
      if (signal >= 0) {
        signals[told] = signal;
        positions[told] = value.getPosition();
        values[told] = value.getValue();
        told++;
      }
    }
    return new DecisionValues(
        surface,
        subjectId,
        decisionId,
        assigned,
        decidedAtMicros,
        newestMicros,
        Arrays.copyOf(signals, told),
        Arrays.copyOf(positions, told),
        Arrays.copyOf(values, told));
  }

  /** Whose decision it is, on which surface. */
  public String subjectKey() {
    return surface + "/" + subjectId;
  }
}
