package io.bellwether.evaluation.offpolicy;

/** The mean of Σ weight·reward over a decision's positions, by weights other than of prefixes. */
sealed interface WeightedReward extends MeanEstimator permits IndependentIps, Mips {

  @Override
  double weight(DecisionRow decision, int position);

  @Override
  default boolean usesModel() {
    return false;
  }

  @Override
  default double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += weight(decision, k) * decision.reward[k];
    }
    return sum;
  }
}
