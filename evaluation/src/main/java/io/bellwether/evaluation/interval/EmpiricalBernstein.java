package io.bellwether.evaluation.interval;

/**
 * Bounds of the mean of independent values in [0, range] at a fixed sample size, without any
 * assumption about their distribution.
 *
 * <p>{@code range} must be known before looking at the values; the largest value of the sample
 * voids the guarantee. A lower bound below 0 is reported as it is: it says that the sample is too
 * small for this method.
 *
 * <p>Source: Maurer and Pontil, "Empirical Bernstein Bounds and Sample Variance Penalization",
 * 2009.
 *
 * @param count how many values, at least 2
 * @param variance sample variance with count − 1
 */
public record EmpiricalBernstein(long count, double mean, double variance, double range) {

  public EmpiricalBernstein {
    if (count < 2 || !(variance >= 0) || !(range > 0)) {
      throw new IllegalArgumentException(
          "count %d, variance %s, range %s".formatted(count, variance, range));
    }
  }

  /**
   * The range of weight times reward that policies guarantee before any value is seen.
   *
   * @param largestReward of a decision, in the signal's unit
   * @param largestProbability of any action under the target policy
   * @param floor the smallest propensity that the logging policy promises to give an action
   */
  public static double weightedRange(
      double largestReward, double largestProbability, double floor) {
    if (!(largestReward > 0) || !(largestProbability > 0) || !(floor > 0)) {
      throw new IllegalArgumentException(
          "no range: reward up to %s, probability up to %s, propensity from %s"
              .formatted(largestReward, largestProbability, floor));
    }
    return largestReward * largestProbability / floor;
  }

  /** A value that exceeds the true mean with probability at most alpha. */
  public double lower(double alpha) {
    return mean - halfWidth(Math.log(2 / alpha));
  }

  /** A value that is below the true mean with probability at most alpha. */
  public double upper(double alpha) {
    return mean + halfWidth(Math.log(2 / alpha));
  }

  public Interval interval(double level) {
    double half = halfWidth(Math.log(4 / (1 - level)));
    return new Interval(Interval.Method.EMPIRICAL_BERNSTEIN, level, mean - half, mean + half);
  }

  private double halfWidth(double logarithm) {
    return Math.sqrt(2 * variance * logarithm / count)
        + 7 * range * logarithm / (3.0 * (count - 1));
  }
}
