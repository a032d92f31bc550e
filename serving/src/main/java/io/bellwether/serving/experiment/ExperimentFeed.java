package io.bellwether.serving.experiment;

import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Reads the logs of experiments again and again, and swaps in what it knows. Only what is new is
 * read: of most experiments that is the number of their latest move. Owns its thread. Thread-safe.
 */
@Singleton
final class ExperimentFeed {

  private static final Logger LOG = Logger.getLogger(ExperimentFeed.class);
  private static final long JOIN_MILLIS = 1000;

  private final ExperimentStore store;
  private final Duration refresh;
  private final long leaseNanos;

  /** The monotonic clock: a time of day that is set back must not make a lease longer. */
  private final LongSupplier nanos;

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, ExperimentState> known = new TreeMap<>();
  private final Semaphore ended = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "experiment-feed");
  private volatile Assignments assignments = new Assignments(List.of(), () -> true);
  private volatile boolean failing;

  @Inject
  ExperimentFeed(ServingConfig config) {
    this(
        new ExperimentStore(config.store()),
        config.experimentsRefresh(),
        config.experimentsLease(),
        System::nanoTime);
  }

  ExperimentFeed(ExperimentStore store, Duration refresh, Duration lease, LongSupplier nanos) {
    this.store = store;
    this.refresh = refresh;
    leaseNanos = lease.toNanos();
    this.nanos = nanos;
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    ended.release();
    thread.join(JOIN_MILLIS);
  }

  ExperimentStore store() {
    return store;
  }

  /** What is known now. */
  Assignments assignments() {
    return assignments;
  }

  /** Calls back after each change of what is known, on the thread that found it. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Reads what is new, now. */
  void refresh() {
    if (readNew()) {
      listeners.forEach(Runnable::run);
    }
  }

  private synchronized boolean readNew() {
    // The lease counts from before the first look: what is written after it may not be seen.
    long from = nanos.getAsLong();
    boolean changed = false;
    for (String name : store.names()) {
      ExperimentState before = known.get(name);
      if (before != null && before.status() == Status.ARCHIVED) {
        continue;
      }
      long last = store.last(name);
      if (last > 0 && (before == null || before.sequence() != last)) {
        known.put(name, store.move(name, last).after());
        changed = true;
      }
    }
    assignments =
        changed
            ? new Assignments(known.values(), () -> isOver(from))
            : assignments.confirmed(() -> isOver(from));
    return changed;
  }

  private boolean isOver(long from) {
    return nanos.getAsLong() - from > leaseNanos;
  }

  private void run() {
    try {
      do {
        look();
      } while (!ended.tryAcquire(refresh.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever fails, the next look may succeed; meanwhile the lease ends assignment. */
  private void look() {
    try {
      refresh();
      if (failing) {
        LOG.info("the logs of experiments can be read again");
        failing = false;
      }
    } catch (RuntimeException e) {
      if (!failing) {
        LOG.error("the logs of experiments cannot be read; soon nobody is assigned", e);
        failing = true;
      }
    }
  }
}
