package io.bellwether.ingestion.metrics;

/**
 * Compensated sums in arrays that are state: what a sum lost to rounding stands beside it, so that
 * what was added in any order and taken away again leaves nothing.
 *
 * <p>Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen",
 * 1974.
 */
final class Neumaier {

  private Neumaier() {}

  /** Adds to {@code sums[index]}; the sum is {@code sums[index] + lost[index]}. */
  static void add(double[] sums, double[] lost, int index, double value) {
    double before = sums[index];
    double after = before + value;
    lost[index] +=
        Math.abs(before) >= Math.abs(value) ? (before - after) + value : (value - after) + before;
    sums[index] = after;
  }

  /** The sums. */
  static double[] values(double[] sums, double[] lost) {
    double[] values = new double[sums.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = sums[i] + lost[i];
    }
    return values;
  }
}
