package io.bellwether.evaluation.experiment;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A quantile of values of which a unit has several, such as waiting times: the error for
 * independent values, widened by how much more the share below the quantile varies over units than
 * over values.
 *
 * <p>Source: Liu, Sun, Varshney and Xu, "Large-Scale Online Experimentation with Quantile Metrics",
 * 2019.
 *
 * @param value at rank ⌈nν⌉ of n
 * @param lower of its 95 % interval for independent values
 * @param upper of the same
 * @param independentError standard error if every value were a unit of its own
 * @param designEffect variance over units by variance over values
 * @param units that have a value
 */
public record ClusteredQuantile(
    double value,
    double lower,
    double upper,
    double independentError,
    double designEffect,
    long units) {
  private static final Linear SHARE_BELOW = new Linear.OfRatio("below", "all");

  /**
   * Of finite values and the 0-based number of the unit that each belongs to; empty for fewer than
   * two units or too few values for the interval.
   *
   * @param share the quantile, in (0, 1)
   */
  public static Optional<ClusteredQuantile> of(double share, int[] unitOf, double[] values) {
    if (unitOf.length != values.length) {
      throw new IllegalArgumentException(
          "units of %d values, and %d values".formatted(unitOf.length, values.length));
    }
    Distribution distribution = Distribution.of(values);
    if (!distribution.finite()) {
      throw new IllegalArgumentException("a value is not finite");
    }
    if (values.length == 0) {
      return Optional.empty();
    }
    QuantileError independent = QuantileError.of(distribution, share);
    Moments counts = counts(unitOf, values, independent.value());
    if (counts.units() < 2 || !independent.bounded()) {
      return Optional.empty();
    }
    double clustered = counts.varianceOf(SHARE_BELOW.influence(counts)) / counts.units();
    return Optional.of(
        new ClusteredQuantile(
            independent.value(),
            independent.lower().orElseThrow(),
            independent.upper().orElseThrow(),
            independent.standardError(values.length).orElseThrow(),
            clustered / (share * (1 - share) / values.length),
            counts.units()));
  }

  public double standardError() {
    return independentError * Math.sqrt(designEffect);
  }

  /** Per unit, how many values it has and how many of them are at most the quantile. */
  private static Moments counts(int[] unitOf, double[] values, double quantile) {
    int numbers = IntStream.of(unitOf).max().orElse(-1) + 1;
    int[] all = new int[numbers];
    int[] below = new int[numbers];
    for (int index = 0; index < values.length; index++) {
      all[unitOf[index]]++;
      if (values[index] <= quantile) {
        below[unitOf[index]]++;
      }
    }
    UnitSums sums = new UnitSums(SHARE_BELOW.columns());
    for (int unit = 0; unit < numbers; unit++) {
      if (all[unit] > 0) {
        sums.add(below[unit], all[unit]);
      }
    }
    return sums.moments();
  }
}
