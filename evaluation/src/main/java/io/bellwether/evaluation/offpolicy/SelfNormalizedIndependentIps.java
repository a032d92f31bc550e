package io.bellwether.evaluation.offpolicy;

/** {@link IndependentIps} with each position's weights divided by their mean. */
public record SelfNormalizedIndependentIps() implements WeightedRewardRatio {

  @Override
  public String name() {
    return "sniips";
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasSlotWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.slotWeight[position];
  }
}
