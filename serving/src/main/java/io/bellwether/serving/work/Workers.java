package io.bellwether.serving.work;

import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A few threads that parse, score and sample, and a bound on the requests in progress that is
 * measured: no more than the threads can begin without a queue that stands. A request has at most
 * one task waiting at any time, so that the queue is bounded by the requests. Owns its threads.
 * Thread-safe.
 */
@Singleton
public final class Workers implements Executor {

  private static final int RETRY_AFTER_SECONDS = 1;

  /** Of the requests in progress most wait for Redis or Kafka, which takes no thread. */
  private static final int LEAST_PER_THREAD = 4;

  private final ConcurrencyLimit limit;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final ThreadPoolExecutor threads;
  private final Counter shed;

  Workers(ServingConfig config, MeterRegistry registry) {
    int count =
        config.workers() > 0 ? config.workers() : Runtime.getRuntime().availableProcessors();
    int most = config.maxInFlight();
    limit = new ConcurrencyLimit(Math.min(most, LEAST_PER_THREAD * count), most, System.nanoTime());
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "worker-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    shed =
        Counter.builder("bellwether.requests.shed")
            .description("Requests answered 429, since too many were in progress")
            .register(registry);
    Gauge.builder("bellwether.requests.in.progress", inFlight, AtomicInteger::get)
        .description("Requests in progress")
        .register(registry);
    Gauge.builder("bellwether.requests.limit", limit, ConcurrencyLimit::current)
        .description("Most requests in progress, as measured")
        .register(registry);
    Gauge.builder("bellwether.worker.wait", limit, l -> l.standingNanos() / 1e9)
        .description("Least time that a task waited for a worker in the last period")
        .baseUnit("seconds")
        .register(registry);
  }

  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    threads.shutdown();
  }

  /**
   * Begins a request's work on a worker; completes where and when the work's own stage does, with
   * {@code rate-limited} where too many requests are in progress.
   */
  public <T> CompletionStage<T> admit(Supplier<? extends CompletionStage<T>> work) {
    int most = limit.current();
    if (inFlight.incrementAndGet() > most) {
      inFlight.decrementAndGet();
      shed.increment();
      return CompletableFuture.failedFuture(tooMany(most));
    }
    return CompletableFuture.supplyAsync(work, this)
        .thenCompose(stage -> stage)
        .whenComplete((done, failure) -> inFlight.decrementAndGet());
  }

  private static ProblemException tooMany(int most) {
    return new ProblemException(
        Problem.of(
            Slug.RATE_LIMITED,
            most
                + " requests are in progress, which is as many as the service can keep up with now;"
                + " at most it is bellwether.max-in-flight."),
        Map.of(
            "Retry-After", Integer.toString(RETRY_AFTER_SECONDS),
            "RateLimit-Policy", "\"requests\";q=" + most + ";qu=\"concurrent-requests\"",
            "RateLimit", "\"requests\";r=0;t=" + RETRY_AFTER_SECONDS));
  }

  /** Requests in progress. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Tasks that wait for a thread. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Continues an admitted request. */
  @Override
  public void execute(Runnable task) {
    long sinceNanos = System.nanoTime();
    threads.execute(
        () -> {
          long nowNanos = System.nanoTime();
          limit.waited(nowNanos - sinceNanos, nowNanos);
          task.run();
        });
  }
}
