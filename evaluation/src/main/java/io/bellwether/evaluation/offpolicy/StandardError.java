package io.bellwether.evaluation.offpolicy;

/**
 * The standard error of an estimate from the squares of its influence values.
 *
 * <p>Decisions of different units: √(Σψ² / (n(n−1))). Units with several decisions: √(C/(C−1) ·
 * Σ_c(Σ_{i∈c} ψ_i)²) / n, which is the first formula where each unit has one decision.
 */
public final class StandardError {
  private static final String NOT_FINITE = "NOT_FINITE";

  private StandardError() {}

  /** The standard error; needs two units. */
  public static double of(double influenceSquares, long decisions, long units) {
    double n = decisions;
    double c = units;
    return Math.sqrt(c / (c - 1) * influenceSquares) / n;
  }

  /**
   * The value with its standard error, or without one where there is but one unit; refused where
   * either is beyond the numbers.
   */
  public static Estimate estimate(
      double value, double influenceSquares, long decisions, long units) {
    if (!Double.isFinite(value)) {
      return new Estimate.Refused(NOT_FINITE);
    }
    if (units < 2) {
      return new Estimate.ValueOnly(value, decisions < 2 ? "N_LT_2" : "ONE_UNIT");
    }
    double error = of(influenceSquares, decisions, units);
    if (!Double.isFinite(error)) {
      return new Estimate.Refused(NOT_FINITE);
    }
    return new Estimate.Estimated(
        value,
        error,
        units < decisions ? Estimate.ErrorKind.CLUSTER : Estimate.ErrorKind.ROW,
        decisions,
        units);
  }
}
