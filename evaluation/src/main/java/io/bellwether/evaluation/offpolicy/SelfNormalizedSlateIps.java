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
  public int width(int positions) {
    return 2;
  }

  @Override
  public void terms(DecisionRow decision, double[] terms) {
    double total = 0;
    for (int k = 0; k < decision.positions(); k++) {
      total += decision.reward[k];
    }
    double weight = decision.weight[decision.positions() - 1];
    terms[0] = weight;
    terms[1] = weight * total;
  }
}
