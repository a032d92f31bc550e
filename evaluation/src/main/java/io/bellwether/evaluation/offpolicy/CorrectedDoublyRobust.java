package io.bellwether.evaluation.offpolicy;

/**
 * The doubly robust form with weights that are cut or shrunk: m + ŵ(r − q̂), where the estimator
 * states ŵ. Less variance, and a bias towards the reward model; one position only.
 */
sealed interface CorrectedDoublyRobust extends MeanEstimator
    permits ClippedDoublyRobust, ShrunkDoublyRobust, SubGaussianDoublyRobust, SwitchDoublyRobust {

  @Override
  double weight(DecisionRow decision, int position);

  @Override
  default boolean usesModel() {
    return true;
  }

  @Override
  default boolean suits(int positions) {
    return positions == 1;
  }

  @Override
  default double row(DecisionRow decision) {
    return decision.direct[0] + weight(decision, 0) * (decision.reward[0] - decision.prediction[0]);
  }
}
