package io.bellwether.serving.work;

import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A few threads that parse, score and sample, and a bound on the requests in progress. A request
 * has at most one task waiting at any time, so that the queue is bounded by the requests. Owns its
 * threads. Thread-safe.
 */
@Singleton
public final class Workers implements Executor {

  private static final int RETRY_AFTER_SECONDS = 1;

  private final Semaphore free;
  private final int maxInFlight;
  private final ThreadPoolExecutor threads;

  Workers(ServingConfig config) {
    int count =
        config.workers() > 0 ? config.workers() : Runtime.getRuntime().availableProcessors();
    maxInFlight = config.maxInFlight();
    free = new Semaphore(maxInFlight);
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
  }

  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    threads.shutdown();
  }

  /**
   * Begins a request's work on a worker; completes on a worker when the work's own stage does, with
   * {@code rate-limited} where too many requests are in progress.
   */
  public <T> CompletionStage<T> admit(Supplier<? extends CompletionStage<T>> work) {
    if (!free.tryAcquire()) {
      return CompletableFuture.failedFuture(
          ProblemException.retryAfter(
              Slug.RATE_LIMITED,
              RETRY_AFTER_SECONDS,
              maxInFlight
                  + " requests are in progress, which is the most (bellwether.max-in-flight)."));
    }
    return CompletableFuture.supplyAsync(work, threads)
        .thenCompose(stage -> stage)
        .whenCompleteAsync((done, failure) -> free.release(), threads);
  }

  /** Requests in progress. */
  public int inFlight() {
    return maxInFlight - free.availablePermits();
  }

  /** Tasks that wait for a thread. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Continues an admitted request. */
  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }
}
