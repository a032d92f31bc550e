package io.bellwether.evaluation.offpolicy;

/** {@link WeightedReward} divided, position by position, by the mean weight. */
sealed interface WeightedRewardRatio extends RatioEstimator
    permits SelfNormalizedIndependentIps, SelfNormalizedMips {

  @Override
  double weight(DecisionRow decision, int position);

  @Override
  default boolean usesModel() {
    return false;
  }

  @Override
  default int width(int positions) {
    return 2 * positions;
  }

  @Override
  default void terms(DecisionRow decision, double[] terms) {
    for (int k = 0; k < decision.positions(); k++) {
      double weight = weight(decision, k);
      terms[2 * k] = weight;
      terms[2 * k + 1] = weight * decision.reward[k];
    }
  }
}
