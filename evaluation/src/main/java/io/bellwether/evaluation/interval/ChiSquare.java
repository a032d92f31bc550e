package io.bellwether.evaluation.interval;

/**
 * The chi-squared distribution, accurate to 1e-10 relative in the smaller tail: P(X <= x) = P(ν/2,
 * x/2), the regularised incomplete gamma function.
 */
public final class ChiSquare {
  private ChiSquare() {}

  /** P(X <= x), for x at least 0. */
  public static double cumulative(double x, double degreesOfFreedom) {
    check(x, degreesOfFreedom);
    return IncompleteGamma.lower(degreesOfFreedom / 2, x / 2);
  }

  /** P(X > x): the p-value of a statistic x, for x at least 0. */
  public static double survival(double x, double degreesOfFreedom) {
    check(x, degreesOfFreedom);
    return IncompleteGamma.upper(degreesOfFreedom / 2, x / 2);
  }

  private static void check(double x, double degreesOfFreedom) {
    if (!(x >= 0) || !(degreesOfFreedom > 0)) {
      throw new IllegalArgumentException(
          "chi-squared %s with %s degrees of freedom".formatted(x, degreesOfFreedom));
    }
  }
}
