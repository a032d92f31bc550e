package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Normal;
import java.util.OptionalDouble;

/**
 * A quantile of independent values with its error, from the order statistics that a 95 % interval
 * of its rank reaches.
 *
 * <p>Source: the outer intervals of Woodruff, "Confidence Intervals for Medians and Other Position
 * Measures", 1952.
 *
 * @param value at rank ⌈nν⌉ of n
 * @param lower the value at rank ⌊nν − z·√(nν(1−ν))⌋
 * @param upper the value at rank ⌈nν + z·√(nν(1−ν))⌉
 */
record QuantileError(double value, OptionalDouble lower, OptionalDouble upper) {
  private static final double Z = Normal.quantile(0.975);

  /** Of at least one value; without bounds where their ranks are outside of the sample. */
  static QuantileError of(Distribution values, double share) {
    long count = values.count();
    double reach = Z * Math.sqrt(count * share * (1 - share));
    long below = (long) Math.floor(count * share - reach);
    long above = (long) Math.ceil(count * share + reach);
    double value = values.quantile(share).orElseThrow();
    return below < 1 || above > count
        ? new QuantileError(value, OptionalDouble.empty(), OptionalDouble.empty())
        : new QuantileError(
            value,
            OptionalDouble.of(values.atRank(below)),
            OptionalDouble.of(values.atRank(above)));
  }

  boolean bounded() {
    return lower.isPresent() && upper.isPresent();
  }

  /** Of the quantile of so many values; empty without bounds. */
  OptionalDouble standardError(long count) {
    if (!bounded()) {
      return OptionalDouble.empty();
    }
    double width = upper.orElseThrow() - lower.orElseThrow();
    return OptionalDouble.of(width / (2 * Z) * Math.sqrt((count - 1.0) / count));
  }

  Side side(long count) {
    OptionalDouble error = standardError(count);
    return error.isEmpty()
        ? Side.withoutError(count, OptionalDouble.of(value))
        : Side.of(count, value, error.getAsDouble() * error.getAsDouble());
  }
}
