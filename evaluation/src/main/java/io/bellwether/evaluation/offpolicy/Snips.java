package io.bellwether.evaluation.offpolicy;

/**
 * Self-normalised inverse propensity scoring: per position, Σ weight·reward / Σ weight. Biased by
 * O(1/n), never outside the observed rewards, moves with a constant added to the reward.
 *
 * <p>Source: Swaminathan and Joachims, "The Self-Normalized Estimator for Counterfactual Learning",
 * 2015.
 */
public record Snips() implements RatioEstimator {

  @Override
  public String name() {
    return "snips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public int width(int positions) {
    return 2 * positions;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    for (int k = 0; k < decision.positions(); k++) {
      terms[2 * k] = decision.weight[k];
      terms[2 * k + 1] = decision.weight[k] * decision.reward[k];
    }
  }
}
