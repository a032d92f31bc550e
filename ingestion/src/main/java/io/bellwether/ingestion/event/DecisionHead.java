package io.bellwether.ingestion.event;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a decision is looked at while it is joined with its outcomes.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param candidates how many there were
 * @param slate in the order of positions, 0 first
 * @param assigned whether it comes from an experiment
 */
public record DecisionHead(
    String decisionId,
    String surface,
    String subjectId,
    long decidedAtMicros,
    int candidates,
    List<Placed> slate,
    String mode,
    boolean assigned) {

  /**
   * An item of the slate.
   *
   * @param candidate index into the candidates
   * @param candidateId what the candidates call it; null where there is none of that index
   */
  public record Placed(
      int candidate, String itemId, double propensity, @Nullable String candidateId) {}

  static DecisionHead of(Decision decision) {
    List<String> ids = decision.getCandidateIds();
    List<Placed> slate = new ArrayList<>(decision.getSlate().size());
    for (Placement placement : decision.getSlate()) {
      int candidate = placement.getCandidate();
      slate.add(
          new Placed(
              candidate,
              placement.getItemId(),
              placement.getPropensity(),
              candidate < 0 || candidate >= ids.size() ? null : ids.get(candidate)));
    }
    return new DecisionHead(
        decision.getDecisionId(),
        decision.getSurface(),
        decision.getSubjectId(),
        decision.getDecidedAtMicros(),
        ids.size(),
        slate,
        decision.getMode(),
        decision.getAssignment() != null);
  }

  /** The ids of the items that were shown, position 0 first. */
  public List<String> itemIds() {
    List<String> ids = new ArrayList<>(slate.size());
    for (Placed placed : slate) {
      ids.add(placed.itemId());
    }
    return ids;
  }
}
