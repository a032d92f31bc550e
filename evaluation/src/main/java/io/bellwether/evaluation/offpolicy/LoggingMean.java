package io.bellwether.evaluation.offpolicy;

/** The logging policy's own value: the mean reward of its decisions. */
public record LoggingMean() implements MeanEstimator {

  @Override
  public String name() {
    return "logging";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return 1;
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += decision.reward[k];
    }
    return sum;
  }
}
