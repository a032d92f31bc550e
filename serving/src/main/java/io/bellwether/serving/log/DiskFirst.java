package io.bellwether.serving.log;

import io.bellwether.serving.log.Recording.Ways;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One answer's events on their way to this machine's disk, from where Kafka gets them in batches. A
 * disk that fails or is late is stood in for by Kafka itself. Used once. Thread-safe.
 */
final class DiskFirst {

  /** Of the time that is left, what the disk may use before Kafka is asked too. */
  private static final double DISK_SHARE = 0.4;

  private final List<Event> events;
  private final long byNanos;
  private final Ways ways;
  private final AtomicBoolean standIn = new AtomicBoolean();
  private final CompletableFuture<Stored> stored = new CompletableFuture<>();

  /**
   * @param byNanos {@link System#nanoTime} by which there has to be an answer
   */
  DiskFirst(List<Event> events, long byNanos, Ways ways) {
    this.events = List.copyOf(events);
    this.byNanos = byNanos;
    this.ways = ways;
  }

  /** Begins; completes with the place, or fails as {@code unavailable} where there is none. */
  CompletableFuture<Stored> begin() {
    CompletableFuture<Void> kept = ways.spool().apply(events);
    if (kept.isDone() && !kept.isCompletedExceptionally()) {
      return CompletableFuture.completedFuture(Stored.SPOOL);
    }
    Future<?> timer = timer();
    var unused =
        kept.whenComplete(
            (done, failure) -> {
              if (timer != null) {
                timer.cancel(false);
              }
              if (failure == null) {
                stored.complete(Stored.SPOOL);
              } else {
                askKafka();
              }
            });
    return stored;
  }

  private @Nullable Future<?> timer() {
    long patience = (long) (DISK_SHARE * Math.max(0, byNanos - System.nanoTime()));
    try {
      return ways.timers()
          .schedule(this::askKafka, Math.min(patience, ways.patienceNanos()), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException stopping) {
      return null;
    }
  }

  private void askKafka() {
    if (stored.isDone() || !standIn.compareAndSet(false, true)) {
      return;
    }
    var unused =
        new Recording(events, byNanos, ways)
            .begin()
            .whenComplete(
                (place, failure) -> {
                  if (failure == null) {
                    stored.complete(place);
                  } else {
                    stored.completeExceptionally(failure);
                  }
                });
  }
}
