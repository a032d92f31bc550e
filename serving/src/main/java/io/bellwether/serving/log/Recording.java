package io.bellwether.serving.log;

import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One answer's events on their way to a place where they are safe, all of them or none: Kafka
 * first, and the spool where Kafka is away, fails or is late. Whichever comes first counts; what
 * comes to Kafka after that is there twice, under one id. Used once. Thread-safe.
 */
final class Recording {

  /** Of the time that is left, what Kafka may use before the spool has to do. */
  private static final double KAFKA_SHARE = 0.6;

  /** What a disk may take even where no time is left: an answer may be late by ten. */
  private static final long DISK_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  private static final int RETRY_AFTER_SECONDS = 1;

  private final List<Event> events;
  private final long byNanos;
  private final Ways ways;
  private final CompletableFuture<Stored> stored = new CompletableFuture<>();
  private final AtomicInteger unacknowledged;
  private final AtomicBoolean judged = new AtomicBoolean();
  private final AtomicBoolean spooling = new AtomicBoolean();
  private volatile @Nullable String kafkaRefusal;
  private volatile @Nullable String spoolRefusal;
  private volatile @Nullable Future<?> timer;

  /**
   * Where events can go.
   *
   * @param kafka completes when Kafka has acknowledged an event
   * @param spool completes when events are on disk
   * @param breaker says whether Kafka is worth waiting for, and hears whether it was
   * @param timers for what is late
   * @param patienceNanos longest wait for Kafka
   */
  record Ways(
      Function<Event, ? extends CompletableFuture<?>> kafka,
      Function<List<Event>, CompletableFuture<Void>> spool,
      Breaker breaker,
      ScheduledExecutorService timers,
      long patienceNanos) {}

  /**
   * @param byNanos {@link System#nanoTime} by which there has to be an answer
   */
  Recording(List<Event> events, long byNanos, Ways ways) {
    this.events = List.copyOf(events);
    this.byNanos = byNanos;
    this.ways = ways;
    unacknowledged = new AtomicInteger(events.size());
  }

  /** Begins; completes with the place, or fails as {@code unavailable} where there is none. */
  CompletableFuture<Stored> begin() {
    if (ways.breaker.allows()) {
      toKafka();
    } else {
      judged.set(true);
      kafkaRefusal = "Kafka is away";
      toSpool();
    }
    return stored;
  }

  private void toKafka() {
    Event first = events.get(0);
    if (first.value().length > EventLog.LARGE_EVENT_BYTES) {
      // Kafka may refuse it for good, and is then to have none of the others.
      var unused =
          ways.kafka
              .apply(first)
              .whenComplete(
                  (acknowledged, failure) -> {
                    if (failure == null && !stored.isDone()) {
                      toKafka(events.subList(1, events.size()));
                    }
                    answered(failure);
                  });
    } else {
      toKafka(events);
    }
    if (!spooling.get()) {
      long left = byNanos - System.nanoTime();
      after(Math.min((long) (KAFKA_SHARE * left), ways.patienceNanos), this::overdue);
    }
  }

  private void toKafka(List<Event> some) {
    for (Event event : some) {
      var unused =
          ways.kafka.apply(event).whenComplete((acknowledged, failure) -> answered(failure));
    }
  }

  private void answered(@Nullable Throwable failure) {
    if (failure == null) {
      if (unacknowledged.decrementAndGet() == 0) {
        judge(true);
        finish(Stored.KAFKA, null);
      }
      return;
    }
    Throwable cause = ProblemMapper.unwrapped(failure);
    if (isTooLarge(cause)) {
      judge(true);
      finish(null, cause);
      return;
    }
    judge(false);
    kafkaRefusal = "Kafka did not acknowledge";
    toSpool();
    failIfNothingIsLeft();
  }

  private static boolean isTooLarge(Throwable cause) {
    return cause instanceof ProblemException refusal
        && refusal.problem().status() == Slug.PAYLOAD_TOO_LARGE.status();
  }

  private void overdue() {
    judge(false);
    toSpool();
  }

  /** Says once what Kafka was like; what it does after it was late changes nothing. */
  private void judge(boolean good) {
    if (!judged.compareAndSet(false, true)) {
      return;
    }
    if (good) {
      ways.breaker.succeeded();
    } else {
      ways.breaker.failed();
    }
  }

  private void toSpool() {
    if (stored.isDone() || !spooling.compareAndSet(false, true)) {
      return;
    }
    after(Math.max(DISK_NANOS, byNanos - System.nanoTime()), this::expired);
    var unused = ways.spool.apply(events).whenComplete((kept, failure) -> kept(failure));
  }

  private void kept(@Nullable Throwable failure) {
    if (failure == null) {
      finish(Stored.SPOOL, null);
      return;
    }
    spoolRefusal = String.valueOf(ProblemMapper.unwrapped(failure).getMessage());
    failIfNothingIsLeft();
  }

  /** A full spool is no reason to refuse while Kafka may still acknowledge. */
  private void failIfNothingIsLeft() {
    String kafka = kafkaRefusal;
    String spool = spoolRefusal;
    if (kafka != null && spool != null) {
      finish(null, unavailable(kafka + "; " + spool));
    }
  }

  private void expired() {
    String spool = spoolRefusal;
    finish(
        null,
        unavailable(
            "Kafka did not acknowledge in time; "
                + (spool == null ? "neither did the disk" : spool)));
  }

  private void after(long nanos, Runnable task) {
    try {
      timer = ways.timers.schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException stopping) {
      finish(null, unavailable("the service stops"));
    }
    if (stored.isDone()) {
      cancel();
    }
  }

  private void finish(@Nullable Stored place, @Nullable Throwable failure) {
    if (place != null) {
      stored.complete(place);
    } else if (failure != null) {
      stored.completeExceptionally(failure);
    }
    cancel();
  }

  private void cancel() {
    Future<?> last = timer;
    if (last != null) {
      last.cancel(false);
    }
  }

  /** A refusal that asks to send the same again. */
  static ProblemException unavailable(String why) {
    return ProblemException.retryAfter(
        Slug.UNAVAILABLE,
        RETRY_AFTER_SECONDS,
        "The event was not logged (" + why + "); send the same request again.");
  }
}
