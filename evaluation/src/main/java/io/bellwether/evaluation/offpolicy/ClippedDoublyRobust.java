package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with weights cut at {@code cap}: 0 gives the direct method, infinity doubly robust.
 * Biased, however many decisions there are, by the cut times what the model gets wrong there. For
 * one position only.
 *
 * <p>Source: Su, Dimakopoulou, Krishnamurthy and Dudík, "Doubly Robust Off-policy Evaluation with
 * Shrinkage", 2020 (pessimistic shrinkage).
 */
public record ClippedDoublyRobust(double cap) implements MeanEstimator {

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
  public boolean usesModel() {
    return true;
  }

  @Override
  public boolean suits(int positions) {
    return positions == 1;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return Math.min(decision.weight[position], cap);
  }

  @Override
  public double row(DecisionRow decision) {
    double weight = Math.min(decision.weight[0], cap);
    return decision.direct[0] + weight * (decision.reward[0] - decision.prediction[0]);
  }
}
