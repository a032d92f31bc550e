package io.bellwether.evaluation.interval;

/** The logarithm of Γ, accurate to about 1e-15 relative. */
public final class LogGamma {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private LogGamma() {}

  /** ln Γ(x) for x above 0. */
  public static double of(double x) {
    if (!(x > 0)) {
      throw new IllegalArgumentException("ln Γ is needed above 0, found " + x);
    }
    return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + SaddlePoint.stirlingError(x);
  }
}
