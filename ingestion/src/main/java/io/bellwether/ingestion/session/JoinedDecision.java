package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import java.util.List;

/**
 * What attribution knows of one decision; there are several per decision, and each replaces the one
 * before. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param decision the decision's Avro bytes the first time, empty afterwards
 * @param closed whether all windows are over; {@code signals} is empty until then
 * @param signals sorted by signal, then position
 * @param outcomeCount distinct outcomes inside their windows
 * @param outsideWindow distinct outcomes outside their windows
 * @param outcomes all distinct outcomes, in the order of time, then of ids
 */
public record JoinedDecision(
    String surface,
    String subjectId,
    String decisionId,
    long decidedAtMicros,
    byte[] decision,
    boolean closed,
    List<SignalValue> signals,
    int outcomeCount,
    int outsideWindow,
    List<Observation> outcomes) {

  /** State from before outcomes were kept has none. */
  @SuppressWarnings("ConstantValue") // Flink passes null for a component that state lacks.
  public JoinedDecision {
    outcomes = outcomes == null ? List.of() : outcomes;
  }

  /** Whose decision it is, on which surface. */
  public String subjectKey() {
    return surface + "/" + subjectId;
  }
}
