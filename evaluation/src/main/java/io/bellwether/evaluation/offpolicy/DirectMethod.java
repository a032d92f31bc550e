package io.bellwether.evaluation.offpolicy;

/**
 * The reward model's word for it: mean of its expectation under the target policy, with the earlier
 * positions as they were logged. Its standard error is the sampling error of contexts only and
 * ignores the error of the model, so it never decides anything.
 */
public record DirectMethod() implements MeanEstimator {

  @Override
  public String name() {
    return "dm";
  }

  @Override
  public boolean usesModel() {
    return true;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return 1;
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += decision.direct[k];
    }
    return sum;
  }
}
