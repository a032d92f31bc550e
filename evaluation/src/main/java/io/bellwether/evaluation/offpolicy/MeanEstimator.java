package io.bellwether.evaluation.offpolicy;

/** An estimator that is the plain mean of one number per decision. */
sealed interface MeanEstimator extends Estimator
    permits ClippedIps,
        CorrectedDoublyRobust,
        DirectMethod,
        DoublyRobust,
        Ips,
        LoggingMean,
        OffCem,
        PseudoInverse,
        StandardSlateIps,
        SubGaussianIps,
        WeightedReward {

  double row(DecisionRow decision);

  @Override
  default boolean normalizes() {
    return false;
  }

  @Override
  default int width(int positions) {
    return 1;
  }

  @Override
  default void terms(DecisionRow decision, double[] terms) {
    terms[0] = row(decision);
  }

  @Override
  default boolean isDefined(double[] means) {
    return true;
  }

  @Override
  default double value(double[] means) {
    return means[0];
  }

  @Override
  default void gradient(double[] means, double[] gradient) {
    gradient[0] = 1;
  }
}
