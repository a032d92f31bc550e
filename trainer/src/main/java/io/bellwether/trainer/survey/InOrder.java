package io.bellwether.trainer.survey;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Work that several threads share and whose results come back in the order in which it was given.
 * At most a few results per thread are ever waiting. Owns the threads, until {@link #close};
 * confined to the thread that gives the work.
 */
public final class InOrder<R> implements AutoCloseable {

  /** Enough to keep threads busy while a slow result is waited for. */
  private static final int WAITING_PER_THREAD = 2;

  private final ExecutorService threads;
  private final Queue<Future<R>> waiting = new ArrayDeque<>();
  private final int most;
  private final Consumer<R> results;

  /**
   * @param results takes the results, on the thread that gives the work
   */
  public InOrder(String name, int threads, Consumer<R> results) {
    this.threads =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    this.most = WAITING_PER_THREAD * threads;
    this.results = results;
  }

  /** Gives work; waits where too much is not done yet. */
  public void give(Callable<R> work) {
    while (waiting.size() >= most) {
      take();
    }
    waiting.add(threads.submit(work));
  }

  /** Waits for all results. */
  public void finish() {
    while (!waiting.isEmpty()) {
      take();
    }
  }

  private void take() {
    try {
      results.accept(waiting.remove().get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while results were waited for", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a task failed", e);
    }
  }

  /** What runs ends first: after a failure, work may still use what its owner closes next. */
  @Override
  public void close() {
    threads.shutdownNow();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
