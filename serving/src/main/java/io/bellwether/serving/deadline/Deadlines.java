package io.bellwether.serving.deadline;

import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.bellwether.serving.work.Workers;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs policies on the workers, each against its request's clock. The clock has threads of its own,
 * on which stand-ins answer: a stand-in costs microseconds, and workers may all be in a slow graph.
 * Owns those threads. Thread-safe.
 */
@Singleton
public final class Deadlines {

  /** One that waits for a moment, in a log that is full for instance, does not hold up the rest. */
  private static final int THREADS = 2;

  private final Workers workers;
  private final Duration shortest;
  private final ScheduledThreadPoolExecutor clock;
  private final Alarms alarms;

  Deadlines(Workers workers, Surfaces surfaces) {
    this.workers = workers;
    shortest =
        surfaces.all().stream()
            .map(DeclaredSurface::surface)
            .map(surface -> surface.deadline())
            .min(Duration::compareTo)
            .orElse(Duration.ofSeconds(1));
    AtomicInteger number = new AtomicInteger();
    clock =
        new ScheduledThreadPoolExecutor(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "deadline-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    alarms = new ClockAlarms(clock);
  }

  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    clock.shutdown();
  }

  /**
   * The deadline of a request that nobody has read yet: the shortest of all surfaces', or what its
   * transport says if that is less.
   *
   * @param arrivedNanos when it came, {@link System#nanoTime}'s
   */
  public Deadline earliest(long arrivedNanos, OptionalLong budgetMillis) {
    return Deadline.of(arrivedNanos, shortest).within(budgetMillis);
  }

  /**
   * Answers a request by its policy, or by a stand-in where the policy is not done in time. Fails
   * as {@code rate-limited}, before anything is done, where too many are in progress; the request
   * counts as in progress until both its answer and its policy's part are done.
   *
   * @param earliest no later than the deadline that the request turns out to have
   */
  public <Q, T> CompletionStage<T> race(Deadline earliest, Race.Runner<Q, T> runner) {
    Race<Q, T> race = new Race<>(runner, earliest, alarms);
    workers.admit(race::byPolicy).whenComplete(race::policyEnded);
    race.arm();
    return race.answer();
  }

  /**
   * What a stage gives if it does so by then; fails with a {@link TimeoutException} otherwise. The
   * stage itself goes on.
   *
   * @param nanos {@link System#nanoTime}'s
   */
  public <T> CompletionStage<T> by(long nanos, CompletionStage<T> stage) {
    CompletableFuture<T> bounded = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            bounded.complete(value);
          } else {
            bounded.completeExceptionally(failure);
          }
        });
    if (bounded.isDone()) {
      return bounded;
    }
    Alarms.Alarm alarm =
        alarms.at(nanos, () -> bounded.completeExceptionally(new TimeoutException("not in time")));
    return bounded.whenComplete((value, failure) -> alarm.cancel());
  }

  /** Alarms of a clock of the JDK's. */
  private record ClockAlarms(ScheduledThreadPoolExecutor clock) implements Alarms {

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public Alarm at(long nanos, Runnable ring) {
      Future<?> set = clock.schedule(ring, nanos - nanos(), TimeUnit.NANOSECONDS);
      return () -> set.cancel(false);
    }
  }
}
