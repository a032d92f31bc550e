package io.bellwether.serving.policy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When what failed is worth another try. A few times at once, since a disk or a file may come back;
 * then after pauses that grow, since to try a version costs a core for a moment. Confined to one
 * thread.
 */
final class Retries {

  private static final int AT_ONCE = 3;
  private static final int MOST_DOUBLINGS = 10;

  private final long firstPauseNanos;
  private final long longestPauseNanos;
  private final LongSupplier nanos;
  private final Map<String, Failed> failures = new HashMap<>();

  private record Failed(int times, long againNanos, RuntimeException why) {}

  /**
   * @param firstPause after as many failures as are tried at once; it doubles with each more
   */
  Retries(Duration firstPause, Duration longestPause, LongSupplier nanos) {
    this.firstPauseNanos = firstPause.toNanos();
    this.longestPauseNanos = longestPause.toNanos();
    this.nanos = nanos;
  }

  /** Why it failed last, while it is too early for another try; empty when it may be tried. */
  Optional<RuntimeException> tooEarly(String what) {
    Failed last = failures.get(what);
    return last == null || nanos.getAsLong() - last.againNanos >= 0
        ? Optional.empty()
        : Optional.of(last.why);
  }

  /** It has failed once more. */
  void failed(String what, RuntimeException why) {
    Failed last = failures.get(what);
    int times = last == null ? 1 : last.times + 1;
    long pause =
        times < AT_ONCE
            ? 0
            : Math.min(
                longestPauseNanos, firstPauseNanos << Math.min(times - AT_ONCE, MOST_DOUBLINGS));
    failures.put(what, new Failed(times, nanos.getAsLong() + pause, why));
  }

  /** It has not failed. */
  void succeeded(String what) {
    failures.remove(what);
  }
}
