package io.bellwether.loadtest.people;

import java.util.Arrays;

/**
 * A Monte Carlo mean and how exact it is.
 *
 * @param standardError at least 0; shrinks with the square root of the number of sessions
 */
public record Estimate(double mean, double standardError) {
  private static final double NORMAL_975 = 1.959963984540054;

  /** Lower end of the 95 % interval, by the normal approximation over sessions. */
  public double low() {
    return mean - NORMAL_975 * standardError;
  }

  /** Upper end of the 95 % interval, by the normal approximation over sessions. */
  public double high() {
    return mean + NORMAL_975 * standardError;
  }

  /** The mean of independent values; at least two. */
  static Estimate mean(double[] values) {
    double[] ones = new double[values.length];
    Arrays.fill(ones, 1);
    return ratio(values, ones);
  }

  /**
   * The ratio of two means of paired values. Its standard error is that of the residuals {@code
   * above - ratio * below}, over the mean of {@code below} (delta method).
   */
  static Estimate ratio(double[] above, double[] below) {
    int n = above.length;
    double sumAbove = 0;
    double sumBelow = 0;
    for (int i = 0; i < n; i++) {
      sumAbove += above[i];
      sumBelow += below[i];
    }
    double ratio = sumAbove / sumBelow;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double residual = above[i] - ratio * below[i];
      squares += residual * residual;
    }
    return new Estimate(ratio, Math.sqrt(squares / (n - 1) / n) / Math.abs(sumBelow / n));
  }
}
