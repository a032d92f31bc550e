package io.bellwether.evaluation.offpolicy;

/**
 * {@link Mips} with each position's weights divided by their mean: never outside the observed
 * rewards, moves with a constant added to the reward.
 */
public record SelfNormalizedMips() implements RatioEstimator {

  @Override
  public String name() {
    return "snmips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasClusterWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.clusterWeight[position];
  }

  @Override
  public int width(int positions) {
    return 2 * positions;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    for (int k = 0; k < decision.positions(); k++) {
      terms[2 * k] = decision.clusterWeight[k];
      terms[2 * k + 1] = decision.clusterWeight[k] * decision.reward[k];
    }
  }
}
