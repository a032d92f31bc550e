package io.bellwether.evaluation.offpolicy;

/** {@link StandardSlateIps} divided by the slates' mean weight. */
public record SelfNormalizedSlateIps() implements RatioEstimator {

  @Override
  public String name() {
    return "snsips";
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
  public int width(int positions) {
    return 2;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    double weight = decision.lastWeight();
    terms[0] = weight;
    terms[1] = weight * decision.totalReward();
  }
}
