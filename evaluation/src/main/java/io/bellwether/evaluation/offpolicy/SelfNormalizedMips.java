package io.bellwether.evaluation.offpolicy;

/**
 * {@link Mips} with each position's weights divided by their mean: never outside the observed
 * rewards, moves with a constant added to the reward.
 */
public record SelfNormalizedMips() implements WeightedRewardRatio {

  @Override
  public String name() {
    return "snmips";
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasClusterWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.clusterWeight[position];
  }
}
