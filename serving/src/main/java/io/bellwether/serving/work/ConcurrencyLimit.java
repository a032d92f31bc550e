package io.bellwether.serving.work;

import java.time.Duration;

/**
 * How many requests may be in progress at once, found by measuring how long tasks wait for a
 * worker. Where even the least wait of a period is above the target, a queue stands that no pause
 * between requests dissolves, and the limit shrinks in the proportion of target to wait, by half at
 * most; where it is well below, the limit grows by its square root. A burst that is worked off
 * within a period changes nothing. Thread-safe.
 *
 * <p>Sources: Nichols and Jacobson, "Controlling Queue Delay", 2012, for the least wait of a
 * period; Brakmo and Peterson, "TCP Vegas", 1995, for the comparison of a delay with its floor
 * (here 0: a wait is measured, and not inferred from response times); the square root is that of
 * Netflix' concurrency-limits.
 */
final class ConcurrencyLimit {

  /** What a request may lose to waiting at each of its few tasks; small beside any deadline. */
  static final Duration TARGET = Duration.ofMillis(5);

  /** Longer than a collection of garbage, shorter than anybody's patience. */
  static final Duration PERIOD = Duration.ofMillis(100);

  private static final double MOST_SHRINKING = 0.5;

  private final int least;
  private final int most;
  private volatile int limit;
  private volatile long standingNanos;
  private long periodEndNanos;
  private long leastWaitNanos = Long.MAX_VALUE;

  /**
   * A limit that starts at its upper bound.
   *
   * @param least below which it never falls, above 0
   * @param most which it never exceeds, at least {@code least}
   * @param nowNanos a time of the clock that {@link #waited} is called with
   */
  ConcurrencyLimit(int least, int most, long nowNanos) {
    if (least < 1 || most < least) {
      throw new IllegalArgumentException(
          "a limit from %d to %d, expected them above 0 and in order".formatted(least, most));
    }
    this.least = least;
    this.most = most;
    limit = most;
    periodEndNanos = nowNanos + PERIOD.toNanos();
  }

  /** The limit now. */
  int current() {
    return limit;
  }

  /** The least wait of the last period in which any task began, nanoseconds. */
  long standingNanos() {
    return standingNanos;
  }

  /** Notes how long a task that begins now has waited for a worker. */
  synchronized void waited(long waitNanos, long nowNanos) {
    leastWaitNanos = Math.min(leastWaitNanos, waitNanos);
    if (nowNanos - periodEndNanos < 0) {
      return;
    }
    standingNanos = leastWaitNanos;
    limit = next(leastWaitNanos);
    leastWaitNanos = Long.MAX_VALUE;
    periodEndNanos = nowNanos + PERIOD.toNanos();
  }

  private int next(long waitNanos) {
    double target = TARGET.toNanos();
    if (waitNanos > target) {
      double shrunk = limit * Math.max(MOST_SHRINKING, target / waitNanos);
      return Math.max(least, (int) shrunk);
    }
    if (waitNanos > target / 2) {
      return limit;
    }
    return Math.min(most, limit + (int) Math.ceil(Math.sqrt(limit)));
  }
}
