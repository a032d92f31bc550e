package io.bellwether.serving.deadline;

import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.Patience;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which policy versions are in time. One whose graph has taken longer than its surface's deadline
 * leaves it, several times in a row, is not asked for a while: its stand-in then answers at once,
 * and workers are left to those who can be in time. One request at a time finds out whether it has
 * become better. Thread-safe; a version in time costs a look at an empty map.
 */
@Singleton
public final class Punctuality {

  /** A trial costs a worker one run of the graph. */
  private static final Patience PATIENCE =
      new Patience(5, Duration.ofSeconds(1), Duration.ofSeconds(10));

  /** Requests that are scored together are late together, and that counts once. */
  private static final long ONE_RUN_NANOS = Duration.ofMillis(20).toNanos();

  /** Versions that were late lately; beyond it all are given another chance. */
  private static final int MOST_LATE = 64;

  private final LongSupplier nanos;
  private final Map<String, Lateness> late = new ConcurrentHashMap<>();

  /** What is held against a version. */
  private static final class Lateness {

    private final Breaker breaker;
    private long lastNanos;

    Lateness(LongSupplier nanos) {
      breaker = new Breaker(PATIENCE, nanos);
      lastNanos = nanos.getAsLong() - ONE_RUN_NANOS;
    }

    synchronized void late(long nowNanos) {
      if (nowNanos - lastNanos >= ONE_RUN_NANOS) {
        lastNanos = nowNanos;
        breaker.failed();
      }
    }
  }

  /** Nothing is held against anybody. */
  public Punctuality() {
    this(System::nanoTime);
  }

  Punctuality(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether a version is worth asking; each yes is followed by {@link #ran}, or by a failure. */
  public boolean allows(String version) {
    Lateness known = late.get(version);
    return known == null || known.breaker.allows();
  }

  /**
   * A version has scored.
   *
   * @param micros how long its graph took
   * @param deadline the surface's; that a single request asked for less is not the version's fault
   */
  public void ran(String version, long micros, Duration deadline) {
    Deadline due = new Deadline(0, deadline.toNanos());
    if (micros * 1000 > due.standInNanos()) {
      late(version);
      return;
    }
    Lateness known = late.get(version);
    if (known != null) {
      known.breaker.succeeded();
      if (known.breaker.state() == Breaker.State.CLOSED) {
        late.remove(version, known);
      }
    }
  }

  private void late(String version) {
    if (late.size() >= MOST_LATE && !late.containsKey(version)) {
      late.clear();
    }
    late.computeIfAbsent(version, first -> new Lateness(nanos)).late(nanos.getAsLong());
  }
}
