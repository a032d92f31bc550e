package io.bellwether.evaluation.offpolicy;

/**
 * Inverse propensity scoring with weights cut at {@code cap}. Biased towards 0 by what the cut
 * removes, however many decisions there are: to be shown, never to be gated on.
 */
public record ClippedIps(double cap) implements MeanEstimator {

  public ClippedIps {
    if (!(cap > 0)) {
      throw new IllegalArgumentException("a cap is above 0, found " + cap);
    }
  }

  @Override
  public String name() {
    return "ips-clipped";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return Math.min(decision.weight[position], cap);
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += Math.min(decision.weight[k], cap) * decision.reward[k];
    }
    return sum;
  }
}
