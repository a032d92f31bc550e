package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with weights cut at {@code cap}: 0 gives the direct method, infinity doubly robust.
 * Biased, however many decisions there are, by the cut times what the model gets wrong there. For
 * one position only.
 *
 * <p>Source: Su, Dimakopoulou, Krishnamurthy and Dudík, "Doubly Robust Off-policy Evaluation with
 * Shrinkage", 2020 (pessimistic shrinkage).
 */
public record ClippedDoublyRobust(double cap) implements CorrectedDoublyRobust {

  public ClippedDoublyRobust {
    if (!(cap >= 0)) {
      throw new IllegalArgumentException("a cap is at least 0, found " + cap);
    }
  }

  @Override
  public String name() {
    return "dr-clipped";
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return Math.min(decision.weight[position], cap);
  }
}
