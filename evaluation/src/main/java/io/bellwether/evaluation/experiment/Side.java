package io.bellwether.evaluation.experiment;

import java.util.OptionalDouble;

/**
 * One variant's value of a metric.
 *
 * @param value empty without a unit
 * @param squaredError variance of the value, at least 0; empty for too few units
 */
record Side(OptionalDouble value, OptionalDouble squaredError, long units) {

  /** Of that many units with that mean and sample variance. */
  static Side ofMean(long units, double mean, double variance) {
    return of(units, mean, variance / units);
  }

  static Side of(long units, double value, double squaredError) {
    return new Side(OptionalDouble.of(value), OptionalDouble.of(squaredError), units);
  }

  static Side withoutError(long units, OptionalDouble value) {
    return new Side(value, OptionalDouble.empty(), units);
  }

  boolean known() {
    return value.isPresent() && squaredError.isPresent();
  }

  boolean finite() {
    return Double.isFinite(value.orElse(0)) && Double.isFinite(squaredError.orElse(0));
  }
}
