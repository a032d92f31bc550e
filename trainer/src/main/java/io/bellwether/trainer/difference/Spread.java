package io.bellwether.trainer.difference;

import java.util.Arrays;

/**
 * How large some differences are. All are 0 where there are none.
 *
 * @param mean of them
 * @param median of them
 * @param ninetieth nine in ten are at most this
 * @param largest of them
 */
public record Spread(double mean, double median, double ninetieth, double largest) {

  /** Of the first numbers of an array, none below 0; the array is left as it is. */
  static Spread of(double[] differences, int count) {
    if (count == 0) {
      return new Spread(0, 0, 0, 0);
    }
    double[] sorted = Arrays.copyOf(differences, count);
    Arrays.sort(sorted);
    // From the smallest on, so that small ones are not lost in a large sum.
    double sum = 0;
    for (double difference : sorted) {
      sum += difference;
    }
    return new Spread(sum / count, quantile(sorted, 0.5), quantile(sorted, 0.9), sorted[count - 1]);
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1L, (long) Math.ceil(share * sorted.length) - 1)];
  }
}
