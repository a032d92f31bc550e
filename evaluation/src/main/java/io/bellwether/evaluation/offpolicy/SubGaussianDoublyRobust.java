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
public record SubGaussianDoublyRobust(double shrinkage) implements CorrectedDoublyRobust {

  public SubGaussianDoublyRobust {
    SubGaussianIps.requireShrinkage(shrinkage);
  }

  @Override
  public String name() {
    return "sg-dr";
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return SubGaussianIps.corrected(decision.weight[position], shrinkage);
  }
}
