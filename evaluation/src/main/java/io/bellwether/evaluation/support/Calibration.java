package io.bellwether.evaluation.support;

/** Whether the logging policy showed items as often as its propensities say. */
public sealed interface Calibration {

  /**
   * The score test of the propensities against what was shown: χ² = (O−E)ᵀ V⁺ (O−E) with O how
   * often each item was shown, E = Σp and V = Σ(diag(p) − ppᵀ). Items expected fewer than five
   * times are counted as one.
   *
   * @param degreesOfFreedom rank of V: items − 1
   * @param pValue 0 where something was shown that the propensities rule out
   * @param totalVariation ½ Σ|O−E| / decisions: how much it matters, in [0, 1]
   */
  record Tested(double statistic, int degreesOfFreedom, double pValue, double totalVariation)
      implements Calibration {}

  /**
   * No test.
   *
   * @param reason machine-readable: {@code NO_VECTORS}, {@code NO_CHOICE} (one item at a time) or
   *     {@code TOO_FEW_DECISIONS} (no item was expected five times)
   */
  record Untested(String reason) implements Calibration {}
}
