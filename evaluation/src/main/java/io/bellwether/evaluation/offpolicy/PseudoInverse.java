package io.bellwether.evaluation.offpolicy;

/**
 * The slate's whole reward with the pseudo-inverse weight: unbiased where the reward of a slate is
 * a sum of unknown contributions of its items at their places, of which only the sum need be seen.
 * Weights may be below 0; their mean is no normaliser.
 *
 * <p>Source: Swaminathan et al., "Off-policy evaluation for slate recommendation", 2017.
 *
 * @see io.bellwether.evaluation.slate.PseudoInverseWeight
 */
public record PseudoInverse() implements MeanEstimator {

  @Override
  public String name() {
    return "pi";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public boolean readable(DecisionColumns columns) {
    return columns.hasSlateWeights();
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.slateWeight;
  }

  @Override
  public double row(DecisionRow decision) {
    return decision.slateWeight * decision.totalReward();
  }
}
