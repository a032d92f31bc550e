package io.bellwether.evaluation.offpolicy;

/**
 * Each position's reward with the ratio of the chances that its item stands there, whatever stands
 * elsewhere. Little spread; unbiased only where a reward depends on its own item and place alone,
 * which needs an argument in writing.
 *
 * <p>Source: Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, "Offline Evaluation of
 * Ranking Policies with Click Models", 2018.
 */
public record IndependentIps() implements WeightedReward {

  @Override
  public String name() {
    return "iips";
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
