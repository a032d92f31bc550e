package io.bellwether.evaluation.offpolicy;

/**
 * Inverse propensity scoring with harmonically corrected weights: w becomes w/(1 − λ + λw), at most
 * 1/λ. λ = 0 leaves the weights, λ = 1 makes all that are above 0 equal to 1. The correction bends
 * large weights smoothly where a cut breaks them; what it removes is bias all the same.
 *
 * <p>Source: Metelli, Russo and Restelli, "Subgaussian and Differentiable Importance Sampling for
 * Off-Policy Evaluation and Learning", 2021.
 *
 * @param shrinkage λ in [0, 1]
 */
public record SubGaussianIps(double shrinkage) implements MeanEstimator {

  public SubGaussianIps {
    requireShrinkage(shrinkage);
  }

  @Override
  public String name() {
    return "sg-ips";
  }

  @Override
  public boolean usesModel() {
    return false;
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return corrected(decision.weight[position], shrinkage);
  }

  @Override
  public double row(DecisionRow decision) {
    double sum = 0;
    for (int k = 0; k < decision.positions(); k++) {
      sum += corrected(decision.weight[k], shrinkage) * decision.reward[k];
    }
    return sum;
  }

  static void requireShrinkage(double shrinkage) {
    if (!(shrinkage >= 0 && shrinkage <= 1)) {
      throw new IllegalArgumentException("a shrinkage is in [0, 1], found " + shrinkage);
    }
  }

  /** A weight of 0 stays 0, at λ = 1 too. */
  static double corrected(double weight, double shrinkage) {
    return weight == 0 ? 0 : weight / (1 - shrinkage + shrinkage * weight);
  }
}
