package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with each position's weights divided by their mean: Σ u·m / Σ u + Σ w·(r − q) / Σ
 * w, where u is the prefix weight before the position (1 at the first) and w the one at it. Nearly
 * as little bias as doubly robust and less variance; the report's primary estimator.
 *
 * <p>Source: Thomas and Brunskill, "Data-Efficient Off-Policy Policy Evaluation for Reinforcement
 * Learning", 2016 (weighted doubly robust).
 */
public record SelfNormalizedDoublyRobust() implements RatioEstimator {

  @Override
  public String name() {
    return "sndr";
  }

  @Override
  public boolean usesModel() {
    return true;
  }

  @Override
  public int width(int positions) {
    return 4 * positions;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    for (int k = 0; k < decision.positions(); k++) {
      double before = decision.weightBefore[k];
      double weight = decision.weight[k];
      terms[4 * k] = before;
      terms[4 * k + 1] = before * decision.direct[k];
      terms[4 * k + 2] = weight;
      terms[4 * k + 3] = weight * (decision.reward[k] - decision.prediction[k]);
    }
  }
}
