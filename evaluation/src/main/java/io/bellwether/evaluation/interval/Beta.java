package io.bellwether.evaluation.interval;

/** The beta distribution on [0, 1] with shapes a, b > 0, accurate to 1e-11 relative. */
public final class Beta {
  private Beta() {}

  /** P(X <= x), which is 0 below 0 and 1 above 1. */
  public static double cumulative(double x, double a, double b) {
    check(a, b);
    return IncompleteBeta.regularized(x, a, b);
  }

  /** The x with {@code P(X <= x) = probability}, for probabilities in [0, 1]. */
  public static double quantile(double probability, double a, double b) {
    check(a, b);
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("a quantile needs [0, 1], found " + probability);
    }
    return IncompleteBeta.inverse(probability, a, b);
  }

  /** The density at x in [0, 1], at its ends the limit from within. */
  public static double density(double x, double a, double b) {
    check(a, b);
    if (x == 0) {
      return atZero(a, b);
    }
    if (x == 1) {
      return atZero(b, a);
    }
    return IncompleteBeta.density(x, a, b) / (x * (1 - x));
  }

  /** Where x^(a-1) is 0, 1 or without bound. */
  private static double atZero(double a, double b) {
    if (a > 1) {
      return 0;
    }
    return a < 1 ? Double.POSITIVE_INFINITY : b;
  }

  private static void check(double a, double b) {
    if (!(a > 0 && a < Double.POSITIVE_INFINITY && b > 0 && b < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("no beta distribution of %s and %s".formatted(a, b));
    }
  }
}
