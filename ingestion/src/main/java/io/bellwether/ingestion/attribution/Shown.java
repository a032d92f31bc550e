package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.DecisionHead;
import io.bellwether.ingestion.event.Placement;
import java.util.List;

/**
 * What of a decision is needed to attribute outcomes to it. Also Flink state, hence public.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param itemIds the slate, position 0 first
 */
public record Shown(
    String decisionId,
    String surface,
    String subjectId,
    long decidedAtMicros,
    List<String> itemIds) {

  /** What was shown by a decision. */
  public static Shown by(Decision decision) {
    return new Shown(
        decision.getDecisionId(),
        decision.getSurface(),
        decision.getSubjectId(),
        decision.getDecidedAtMicros(),
        decision.getSlate().stream().map(Placement::getItemId).toList());
  }

  static Shown by(DecisionHead decision) {
    return new Shown(
        decision.decisionId(),
        decision.surface(),
        decision.subjectId(),
        decision.decidedAtMicros(),
        decision.itemIds());
  }
}
