package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with harmonically corrected weights: w becomes w/(1 − λ + λw), at most 1/λ. λ = 0
 * gives doubly robust. For one position only.
 *
 * <p>Source: Metelli, Russo and Restelli, "Subgaussian and Differentiable Importance Sampling for
 * Off-Policy Evaluation and Learning", 2021.
 *
 * @param shrinkage λ in [0, 1]
 */
public record SubGaussianDoublyRobust(double shrinkage) implements MeanEstimator {

  public SubGaussianDoublyRobust {
    SubGaussianIps.requireShrinkage(shrinkage);
  }

  @Override
  public String name() {
    return "sg-dr";
  }

  @Override
  public boolean usesModel() {
    return true;
  }

  @Override
  public boolean suits(int positions) {
    return positions == 1;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return SubGaussianIps.corrected(decision.weight[position], shrinkage);
  }

  @Override
  public double row(DecisionRow decision) {
    double weight = SubGaussianIps.corrected(decision.weight[0], shrinkage);
    return decision.direct[0] + weight * (decision.reward[0] - decision.prediction[0]);
  }
}
