package io.bellwether.evaluation.offpolicy;

/**
 * Doubly robust that trusts the model alone where the weight exceeds {@code threshold}: infinity
 * gives doubly robust, 0 the direct method. For one position only.
 *
 * <p>Source: Wang, Agarwal and Dudík, "Optimal and Adaptive Off-policy Evaluation in Contextual
 * Bandits", 2017.
 */
public record SwitchDoublyRobust(double threshold) implements CorrectedDoublyRobust {

  public SwitchDoublyRobust {
    if (!(threshold >= 0)) {
      throw new IllegalArgumentException("a threshold is at least 0, found " + threshold);
    }
  }

  @Override
  public String name() {
    return "switch-dr";
  }

  @Override
  public double weight(DecisionRow decision, int position) {
    return decision.weight[position] <= threshold ? decision.weight[position] : 0;
  }
}
