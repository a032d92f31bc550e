package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.SignalValue;
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
    List<SignalValue> told =
        observed.stream().filter(value -> declared.contains(value.getSignal())).toList();
    return new DecisionValues(
        surface,
        subjectId,
        decisionId,
        assigned,
        decidedAtMicros,
        newestMicros,
        told.stream().mapToInt(value -> declared.indexOf(value.getSignal())).toArray(),
        told.stream().mapToInt(SignalValue::getPosition).toArray(),
        told.stream().mapToDouble(SignalValue::getValue).toArray());
  }

  /** Whose decision it is, on which surface. */
  public String subjectKey() {
    return surface + "/" + subjectId;
  }
}
