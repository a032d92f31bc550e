package io.bellwether.evaluation.distribution;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The points at which a distribution is known: all values where there are at most {@value #MOST}
 * different ones, otherwise {@value #MOST} points at most, half of them at equal distances and half
 * taken from the values themselves, so that neither a long tail nor a dense middle is coarse.
 *
 * @param points ascending; the last is the largest value
 * @param exact whether every value is a point
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ValueGrid(double[] points, boolean exact) {
  static final int MOST = 4096;

  /** One pass over the values, at least one. */
  static ValueGrid of(WeightedValues values) {
    Collector collector = new Collector();
    values.forEach((decision, unit, weight, value) -> collector.add(value));
    return collector.grid();
  }

  /** The number of the smallest point that is at least the value; the value is not above all. */
  int at(double value) {
    int found = Arrays.binarySearch(points, value + 0.0);
    return found >= 0 ? found : -found - 1;
  }

  private static final class Collector {
    private static final int CAPACITY = 4 * MOST;
    private static final int MOST_SAMPLED = MOST / 2;

    private final double[] table = new double[CAPACITY];
    private final boolean[] taken = new boolean[CAPACITY];
    private int distinct;

    /** Every {@code stride}-th value: when full, every second is dropped and the stride doubles. */
    private final double[] sample = new double[MOST_SAMPLED];

    private int sampled;
    private long stride = 1;
    private long seen;
    private double smallest = Double.POSITIVE_INFINITY;
    private double largest = Double.NEGATIVE_INFINITY;

    void add(double value) {
      double plain = value + 0.0; // −0 is 0
      smallest = Math.min(smallest, plain);
      largest = Math.max(largest, plain);
      if (distinct <= MOST) {
        remember(plain);
      }
      if (seen++ % stride == 0) {
        sample(plain);
      }
    }

    ValueGrid grid() {
      if (distinct <= MOST) {
        double[] points = new double[distinct];
        int next = 0;
        for (int slot = 0; slot < CAPACITY; slot++) {
          if (taken[slot]) {
            points[next++] = table[slot];
          }
        }
        Arrays.sort(points);
        return new ValueGrid(points, true);
      }
      int even = MOST - MOST_SAMPLED;
      double step = (largest - smallest) / even;
      DoubleStream evenly =
          DoubleStream.concat(
              DoubleStream.iterate(smallest + step, point -> point + step).limit(even - 1L),
              DoubleStream.of(largest));
      double[] points =
          DoubleStream.concat(evenly, Arrays.stream(sample, 0, sampled))
              .map(point -> Math.min(point, largest))
              .sorted()
              .distinct()
              .toArray();
      return new ValueGrid(points, false);
    }

    private void remember(double value) {
      long hash = Double.doubleToLongBits(value) * 0x9E3779B97F4A7C15L;
      int slot = (int) (hash >>> 40) & (CAPACITY - 1);
      while (taken[slot] && table[slot] != value) {
        slot = (slot + 1) & (CAPACITY - 1);
      }
      if (!taken[slot]) {
        taken[slot] = true;
        table[slot] = value;
        distinct++;
      }
    }

    private void sample(double value) {
      if (sampled == MOST_SAMPLED) {
        for (int kept = 0; kept < MOST_SAMPLED / 2; kept++) {
          sample[kept] = sample[2 * kept];
        }
        sampled = MOST_SAMPLED / 2;
        stride *= 2;
      }
      sample[sampled++] = value;
    }
  }
}
