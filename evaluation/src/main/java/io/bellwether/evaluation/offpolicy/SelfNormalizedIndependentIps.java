package io.bellwether.evaluation.offpolicy;

/** {@link IndependentIps} with each position's weights divided by their mean. */
public record SelfNormalizedIndependentIps() implements RatioEstimator {

  @Override
  public String name() {
    return "sniips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasSlotWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.slotWeight[position];
  }

  @Override
  public int width(int positions) {
    return 2 * positions;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    for (int k = 0; k < decision.positions(); k++) {
      terms[2 * k] = decision.slotWeight[k];
      terms[2 * k + 1] = decision.slotWeight[k] * decision.reward[k];
    }
  }
}
