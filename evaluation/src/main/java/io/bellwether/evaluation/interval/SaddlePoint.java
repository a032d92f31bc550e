package io.bellwether.evaluation.interval;

/**
 * The two small numbers from which binomial, beta and gamma densities follow without the
 * cancellation between large log-gamma values.
 *
 * <p>Source: Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000; small
 * arguments by Lanczos' approximation of log Γ.
 */
@SuppressWarnings("FloatingPointLiteralPrecision") // digits as published
final class SaddlePoint {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private static final double[] LANCZOS = {
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7
  };

  private SaddlePoint() {}

  /** x ln(x/np) + np − x, without cancellation near x = np. */
  static double deviance(double x, double expected) {
    double difference = x - expected;
    if (Math.abs(difference) >= 0.1 * (x + expected)) {
      return x * Math.log(x / expected) - difference;
    }
    double v = difference / (x + expected);
    double sum = difference * v;
    double power = 2 * x * v;
    for (int term = 1; term < 1000; term++) {
      power *= v * v;
      double next = sum + power / (2 * term + 1);
      if (next == sum) {
        break;
      }
      sum = next;
    }
    return sum;
  }

  /** ln Γ(z+1) − (z+½) ln z + z − ½ ln 2π. */
  static double stirlingError(double z) {
    if (z < 15) {
      return logGamma(z + 1) - (z + 0.5) * Math.log(z) + z - HALF_LOG_TWO_PI;
    }
    double square = z * z;
    return (1.0 / 12
            - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square)
                / square)
        / z;
  }

  private static double logGamma(double z) {
    double series = LANCZOS[0];
    for (int term = 1; term < LANCZOS.length; term++) {
      series += LANCZOS[term] / (z - 1 + term);
    }
    double t = z + 6.5;
    return HALF_LOG_TWO_PI + (z - 0.5) * Math.log(t) - t + Math.log(series);
  }
}
