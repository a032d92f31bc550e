package io.bellwether.trainer.algorithm;

/**
 * What fine-tuning keeps of the offline world: more of it is stable, less of it learns faster.
 *
 * <p>Source: the three regimes of offline-to-online learning (arXiv 2510.01460): keep what is
 * better, the offline policy or the data that it came from. The rule was right in 45 of their 63
 * cases: a first guess, not a law.
 */
public enum Kept {
  /** The policy: go on from its weights, near it, from what it decides alone. */
  POLICY,

  /** The data: begin anew, half of every batch from the log. */
  DATA,

  /** A little of both: from the policy's weights, half as near it, half of every batch the log. */
  BOTH;

  /** Two-sided 95 %. */
  private static final double DEVIATIONS = 1.96;

  /**
   * What to keep.
   *
   * @param policy what the offline policy is worth
   * @param logged mean of the log, in the same unit
   * @param halfWidth of the interval within which the two cannot be told apart, at least 0
   */
  public static Kept of(double policy, double logged, double halfWidth) {
    if (!Double.isFinite(policy) || !Double.isFinite(logged) || !(halfWidth >= 0)) {
      throw new IllegalArgumentException(
          "policy %s, log %s ± %s".formatted(policy, logged, halfWidth));
    }
    if (policy > logged + halfWidth) {
      return POLICY;
    }
    return policy < logged - halfWidth ? DATA : BOTH;
  }

  /** By the offline estimate of the objective and its 95 % interval. */
  public static Kept of(PolicyDiagnosis.OfSignal objective) {
    return of(objective.estimate(), objective.logged(), DEVIATIONS * objective.standardError());
  }

  boolean keepsPolicy() {
    return this != DATA;
  }

  boolean keepsData() {
    return this != POLICY;
  }
}
