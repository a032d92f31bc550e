package io.bellwether.evaluation.offpolicy;

/**
 * The slate's whole reward with the weight of the whole slate. Assumes nothing about how positions
 * act on one another and has the widest spread of all: a check for slates of one or two places.
 */
public record StandardSlateIps() implements MeanEstimator {

  @Override
  public String name() {
    return "sips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.lastWeight();
  }

  @Override
  public double row(DecisionRow decision) {
    return decision.lastWeight() * decision.totalReward();
  }
}
