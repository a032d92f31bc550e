package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust with optimistic shrinkage: weight w becomes λw/(w² + λ), at most √λ/2. λ = 0 gives
 * the direct method, λ → ∞ doubly robust. For one position only.
 *
 * <p>Source: Su, Dimakopoulou, Krishnamurthy and Dudík, "Doubly Robust Off-policy Evaluation with
 * Shrinkage", 2020.
 */
public record ShrunkDoublyRobust(double shrinkage) implements CorrectedDoublyRobust {

  public ShrunkDoublyRobust {
    if (!(shrinkage >= 0)) {
      throw new IllegalArgumentException("shrinkage is at least 0, found " + shrinkage);
    }
  }

  @Override
  public String name() {
    return "dr-shrunk";
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return shrunk(decision.weight[position]);
  }

  private double shrunk(double weight) {
    if (Double.isInfinite(shrinkage)) {
      return weight;
    }
    return shrinkage == 0 ? 0 : shrinkage * weight / (weight * weight + shrinkage);
  }
}
