package io.bellwether.evaluation.interval;

/**
 * Bounds of the mean of independent values in [0, range] at a fixed sample size, from the range
 * alone: {@code mean ± range·√(ln(1/α) / 2n)} for a miss probability α on that side. Never tighter
 * than a normal interval and, where the variance is small, much wider than {@link
 * EmpiricalBernstein}.
 *
 * <p>{@code range} must be known before looking at the values.
 *
 * <p>Source: Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963.
 */
public record Hoeffding(long count, double mean, double range) {

  public Hoeffding {
    if (count < 1 || !(range > 0)) {
      throw new IllegalArgumentException("count %d, range %s".formatted(count, range));
    }
  }

  /** A value that exceeds the true mean with probability at most alpha. */
  public double lower(double alpha) {
    return mean - halfWidth(alpha);
  }

  /** A value that is below the true mean with probability at most alpha. */
  public double upper(double alpha) {
    return mean + halfWidth(alpha);
  }

  /** The two-sided interval with half of the miss probability on each side. */
  public Interval interval(double level) {
    double alpha = (1 - level) / 2;
    return new Interval(Interval.Method.HOEFFDING, level, lower(alpha), upper(alpha));
  }

  private double halfWidth(double alpha) {
    return range * Math.sqrt(Math.log(1 / alpha) / (2.0 * count));
  }
}
