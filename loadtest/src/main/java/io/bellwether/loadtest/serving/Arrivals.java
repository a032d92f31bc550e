package io.bellwether.loadtest.serving;

import io.bellwether.policy.scoring.CounterRandom;

/**
 * When requests are due, without regard to answers. Equal seeds give equal times. Mutable: each
 * call moves on; confined to one thread.
 */
interface Arrivals {

  /** Nanoseconds from the start to the next arrival; never decreases. */
  long nextNanos();

  /**
   * Independent arrivals: exponential gaps.
   *
   * @param perSecond mean rate, above 0
   */
  static Arrivals poisson(double perSecond, long seed) {
    return bursts(perSecond, 1, seed);
  }

  /**
   * Several at the same moment, and exponential gaps between these moments.
   *
   * @param perSecond mean rate of single arrivals, above 0
   * @param size arrivals of one moment, at least 1
   */
  static Arrivals bursts(double perSecond, int size, long seed) {
    if (!(perSecond > 0) || size < 1) {
      throw new IllegalArgumentException(
          "a rate above 0 of at least one at a time, found " + perSecond + " and " + size);
    }
    double meanGapNanos = size * 1e9 / perSecond;
    return new Arrivals() {
      private double atNanos;
      private long drawn;
      private int left;

      @Override
      public long nextNanos() {
        if (left == 0) {
          atNanos -= Math.log1p(-CounterRandom.uniform(seed, 0, drawn++, 0, 0)) * meanGapNanos;
          left = size;
        }
        left--;
        return (long) atNanos;
      }
    };
  }
}
