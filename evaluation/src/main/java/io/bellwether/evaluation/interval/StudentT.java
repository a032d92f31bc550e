package io.bellwether.evaluation.interval;

/**
 * Student's t distribution: distribution function and quantile, accurate to 1e-9.
 *
 * <p>Source: I_x(ν/2, ½) with x = ν/(ν+t²); above 2,000 degrees of freedom the expansion of Cornish
 * and Fisher around the normal quantile (Abramowitz and Stegun, 26.7.5).
 */
public final class StudentT {
  private static final double EXPANSION_FROM = 2_000;

  private StudentT() {}

  /** P(T <= t). */
  public static double cumulative(double t, double degreesOfFreedom) {
    double square = t * t;
    double tail =
        square < degreesOfFreedom
            ? 0.5
                - 0.5
                    * IncompleteBeta.regularized(
                        square / (degreesOfFreedom + square), 0.5, degreesOfFreedom / 2)
            : 0.5
                * IncompleteBeta.regularized(
                    degreesOfFreedom / (degreesOfFreedom + square), degreesOfFreedom / 2, 0.5);
    return t > 0 ? 1 - tail : tail;
  }

  /** The t with {@code P(T <= t) = probability}, for probabilities in (0, 1). */
  public static double quantile(double probability, double degreesOfFreedom) {
    if (!(degreesOfFreedom > 0)) {
      throw new IllegalArgumentException("no degrees of freedom: " + degreesOfFreedom);
    }
    double z = Normal.quantile(probability);
    if (degreesOfFreedom > EXPANSION_FROM) {
      return expansion(z, degreesOfFreedom);
    }
    if (probability == 0.5) {
      return 0;
    }
    double tail = Math.min(probability, 1 - probability);
    double t = magnitude(tail, degreesOfFreedom);
    return probability < 0.5 ? -t : t;
  }

  /** t > 0 with P(T > t) = tail: P(|T| > t) is one incomplete beta value. */
  private static double magnitude(double tail, double degreesOfFreedom) {
    double centre = IncompleteBeta.inverse(1 - 2 * tail, 0.5, degreesOfFreedom / 2);
    if (centre < 0.5) {
      return Math.sqrt(degreesOfFreedom * centre / (1 - centre));
    }
    double x = IncompleteBeta.inverse(2 * tail, degreesOfFreedom / 2, 0.5);
    return Math.sqrt(degreesOfFreedom * (1 - x) / x);
  }

  private static double expansion(double z, double v) {
    double s = z * z;
    double first = z * (s + 1) / 4;
    double second = z * ((5 * s + 16) * s + 3) / 96;
    double third = z * (((3 * s + 19) * s + 17) * s - 15) / 384;
    double fourth = z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160;
    return z + (first + (second + (third + fourth / v) / v) / v) / v;
  }
}
