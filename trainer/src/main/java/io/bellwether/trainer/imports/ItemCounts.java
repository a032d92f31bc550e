package io.bellwether.trainer.imports;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each item was shown in a log without propensities, from which some can be estimated:
 * the chance of a candidate is its count, plus one, over that of all candidates that were still to
 * be had. That is right for a logging policy that looks at nothing but the item; what one that
 * looked at the person did, no count tells. Hence {@code ESTIMATED}. Mutable and confined to one
 * thread.
 */
final class ItemCounts {

  /** About a gigabyte. */
  private static final int MAX_ITEMS = 5_000_000;

  private final Map<String, long[]> counts = new HashMap<>();

  /** Counts what a decision without propensities shows. */
  void count(Transition transition) {
    if (!isEstimable(transition.getDecision())) {
      return;
    }
    for (Placement placement : transition.getDecision().getSlate()) {
      long[] count = counts.computeIfAbsent(placement.getItemId(), item -> new long[1]);
      count[0]++;
    }
    if (counts.size() > MAX_ITEMS) {
      throw new ImportRefused(
          "the log shows more than " + MAX_ITEMS + " items, too many to estimate propensities");
    }
  }

  /** Gives a decision without propensities estimated ones. */
  void estimate(Transition transition) {
    Decision decision = transition.getDecision();
    if (!isEstimable(decision)) {
      return;
    }
    List<String> candidates = decision.getCandidateIds();
    double[] weights = new double[candidates.size()];
    double left = 0;
    for (int i = 0; i < weights.length; i++) {
      long[] count = counts.get(candidates.get(i));
      weights[i] = 1.0 + (count == null ? 0 : count[0]);
      left += weights[i];
    }
    float[] logits = new float[weights.length];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) Math.log(weights[i] / left);
    }
    for (Placement placement : decision.getSlate()) {
      double weight = weights[placement.getCandidate()];
      placement.setPropensity(Math.min(1, weight / left));
      left -= weight;
    }
    decision.setLogits(Floats.toBytes(logits, logits.length));
    decision.setPropensityKind(Propensities.ESTIMATED.name());
  }

  /** Where there was no choice there is nothing to estimate. */
  private static boolean isEstimable(Decision decision) {
    return decision.getPropensityKind().equals(Propensities.NONE.name())
        && decision.getCandidateIds().size() > decision.getSlate().size();
  }
}
