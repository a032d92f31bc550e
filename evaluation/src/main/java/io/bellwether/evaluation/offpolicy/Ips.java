package io.bellwether.evaluation.offpolicy;

/**
 * Inverse propensity scoring: mean of weight times reward. Unbiased where propensities are right
 * and overlap holds; its variance grows with the largest weights.
 *
 * <p>With several positions it is the reward-interaction form: each position's reward has the
 * prefix weight of its place, unbiased where a reward depends on no later position.
 *
 * <p>Sources: Horvitz and Thompson 1952; McInerney et al., "Counterfactual Evaluation of Slate
 * Recommendations with Sequential Reward Interactions", 2020.
 */
public record Ips() implements MeanEstimator {

  @Override
  public String name() {
    return "ips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += decision.weight[k] * decision.reward[k];
    }
    return sum;
  }
}
