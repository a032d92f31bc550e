package io.bellwether.evaluation.offpolicy;

/**
 * An estimator that is a sum of ratios of means. Terms come in pairs: {@code terms[2j]} is the
 * normaliser of ratio j and {@code terms[2j + 1]} its numerator.
 */
sealed interface RatioEstimator extends Estimator
    permits SelfNormalizedDoublyRobust, SelfNormalizedSlateIps, Snips, WeightedRewardRatio {

  @Override
  default boolean normalizes() {
    return true;
  }

  @Override
  default boolean isDefined(double[] means) {
    for (int pair = 0; pair < means.length; pair += 2) {
      if (!(means[pair] > 0)) {
        return false;
      }
    }
    return true;
  }

  @Override
  default double value(double[] means) {
    double value = 0;
    for (int pair = 0; pair < means.length; pair += 2) {
      value += means[pair + 1] / means[pair];
    }
    return value;
  }

  @Override
  default void gradient(double[] means, double[] gradient) {
    for (int pair = 0; pair < means.length; pair += 2) {
      gradient[pair] = -means[pair + 1] / (means[pair] * means[pair]);
      gradient[pair + 1] = 1 / means[pair];
    }
  }
}
