package io.bellwether.evaluation.interval;

/**
 * The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 − P(a, x), on which the
 * chi-squared and normal distributions rest. Relative error of the smaller one below 1e-11 for a up
 * to at least 1e7.
 *
 * <p>Sources: power series and Lentz's continued fraction (Press et al., "Numerical Recipes",
 * section 6.2); their leading factor by {@link SaddlePoint}.
 */
final class IncompleteGamma {
  private static final double TINY = 1e-300;

  /** Both converge in O(sqrt(a)) steps near x = a and faster elsewhere: 1e8 needs about 1e5. */
  private static final int MAX_STEPS = 1_000_000;

  private IncompleteGamma() {}

  /** P(a, x) = ∫₀ˣ tᵃ⁻¹ e⁻ᵗ dt / Γ(a) for a > 0 and x at least 0. */
  static double lower(double a, double x) {
    return x < a + 1 ? series(a, x) : 1 - fraction(a, x);
  }

  /** Q(a, x), without cancellation where it is small. */
  static double upper(double a, double x) {
    return x < a + 1 ? 1 - series(a, x) : fraction(a, x);
  }

  private static double series(double a, double x) {
    if (x <= 0) {
      return 0;
    }
    double term = 1;
    double sum = 1;
    for (int step = 1; step <= MAX_STEPS; step++) {
      term *= x / (a + step);
      sum += term;
      if (term < 1e-17 * sum) {
        return Math.min(1, density(a, x) / a * sum);
      }
    }
    throw new ArithmeticException("no convergence of P(%s, %s)".formatted(a, x));
  }

  private static double fraction(double a, double x) {
    if (Double.isInfinite(x)) {
      return 0;
    }
    double b = x + 1 - a;
    double c = 1 / TINY;
    double d = 1 / b;
    double value = d;
    for (int step = 1; step <= MAX_STEPS; step++) {
      double numerator = -step * (step - a);
      b += 2;
      d = 1 / nonZero(numerator * d + b);
      c = nonZero(b + numerator / c);
      double factor = d * c;
      value *= factor;
      if (Math.abs(factor - 1) < 1e-15) {
        return Math.min(1, density(a, x) * value);
      }
    }
    throw new ArithmeticException("no convergence of Q(%s, %s)".formatted(a, x));
  }

  /** xᵃ e⁻ˣ / Γ(a). */
  private static double density(double a, double x) {
    return Math.exp(-SaddlePoint.stirlingError(a) - SaddlePoint.deviance(a, x))
        * Math.sqrt(a / (2 * Math.PI));
  }

  private static double nonZero(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }
}
