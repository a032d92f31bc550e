package io.bellwether.evaluation.interval;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * The percentile bootstrap over independent units: replicate b draws unit numbers from the counter
 * generator keyed by (seed, b), and the statistic recomputes whatever it normalises by.
 *
 * @param replicates how many resamples, at least 2,000 in a report
 * @param seed what makes the result repeatable
 */
public record PercentileBootstrap(int replicates, long seed) {
  private static final long TAG = 0x626F6F74L;

  public PercentileBootstrap {
    if (replicates < 1) {
      throw new IllegalArgumentException("no replicates: " + replicates);
    }
  }

  /**
   * The interval of a statistic of resampled unit numbers. The array handed to the statistic is
   * reused: it must not be kept.
   */
  public Interval interval(int units, ToDoubleFunction<int[]> statistic, double level) {
    CounterRandom random = new CounterRandom(seed);
    int[] drawn = new int[units];
    double[] values = new double[replicates];
    for (int replicate = 0; replicate < replicates; replicate++) {
      for (int draw = 0; draw < units; draw++) {
        drawn[draw] = (int) (random.uniform(TAG, replicate, draw, 0) * units);
      }
      values[replicate] = statistic.applyAsDouble(drawn);
    }
    return ofReplicates(values, level);
  }

  /** The interval between type-7 quantiles of the replicates' values. */
  static Interval ofReplicates(double[] values, double level) {
    double[] ascending = values.clone();
    Arrays.sort(ascending);
    double alpha = (1 - level) / 2;
    return new Interval(
        Interval.Method.PERCENTILE_BOOTSTRAP,
        level,
        Quantiles.ofSorted(ascending, alpha),
        Quantiles.ofSorted(ascending, 1 - alpha));
  }
}
