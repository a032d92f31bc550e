package io.bellwether.loadtest.learning.statistics;

import io.bellwether.evaluation.interval.CounterRandom;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Quantiles;
import java.util.Arrays;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * How far a statistic of few runs could be off: runs are drawn with replacement within each task,
 * again and again, and the middle 95 % of the statistic is the interval. Immutable and thread-safe.
 *
 * <p>Two algorithms whose runs of a task are as many share their draws, as run n of both met the
 * same seed.
 *
 * @param resamples at least 2
 */
public record StratifiedBootstrap(long seed, int resamples) {
  private static final double LEVEL = 0.95;
  private static final int TAG = 1;
  private static final int TAG_OF_OTHER = 2;

  public StratifiedBootstrap {
    if (resamples < 2) {
      throw new IllegalArgumentException("an interval needs two resamples, not " + resamples);
    }
  }

  /** The interval of a statistic of one algorithm. */
  public Interval interval(Runs runs, ToDoubleFunction<Runs> statistic) {
    double[] values = new double[resamples];
    for (int resample = 0; resample < resamples; resample++) {
      values[resample] = statistic.applyAsDouble(drawn(runs, resample, TAG));
    }
    return middle(values);
  }

  /** The interval of a comparison of two algorithms on the same tasks. */
  public Interval interval(Runs runs, Runs other, ToDoubleBiFunction<Runs, Runs> comparison) {
    double[] values = new double[resamples];
    int tag = isPaired(runs, other) ? TAG : TAG_OF_OTHER;
    for (int resample = 0; resample < resamples; resample++) {
      values[resample] =
          comparison.applyAsDouble(drawn(runs, resample, TAG), drawn(other, resample, tag));
    }
    return middle(values);
  }

  private static boolean isPaired(Runs runs, Runs other) {
    return Arrays.equals(lengths(runs), lengths(other));
  }

  private static int[] lengths(Runs runs) {
    return Arrays.stream(runs.tasks()).mapToInt(task -> task.length).toArray();
  }

  private Runs drawn(Runs runs, int resample, int tag) {
    CounterRandom random = new CounterRandom(seed);
    double[][] tasks = new double[runs.tasks().length][];
    for (int task = 0; task < tasks.length; task++) {
      double[] from = runs.tasks()[task];
      tasks[task] = new double[from.length];
      for (int run = 0; run < from.length; run++) {
        tasks[task][run] = from[(int) (from.length * random.uniform(tag, resample, task, run))];
      }
    }
    return new Runs(tasks);
  }

  private static Interval middle(double[] values) {
    Arrays.sort(values);
    return new Interval(
        Interval.Method.PERCENTILE,
        LEVEL,
        Quantiles.ofSorted(values, (1 - LEVEL) / 2),
        Quantiles.ofSorted(values, (1 + LEVEL) / 2));
  }
}
