package io.bellwether.serving.experiment;

import io.bellwether.policy.object.Depot;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private Set<String> unread = Set.of();
  private final Semaphore ended = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "experiment-feed");
  private volatile Assignments assignments = new Assignments(List.of(), Set.of(), () -> true);
  private volatile boolean failing;

  @Inject
  ExperimentFeed(ServingConfig config, Depot depot) {
    this(
        new ExperimentStore(depot),
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

  /**
   * Reads what is new, now.
   *
   * @throws RuntimeException where a log cannot be read; what the others say is known all the same
   */
  void refresh() {
    List<RuntimeException> failures = new ArrayList<>();
    if (readNew(failures)) {
      listeners.forEach(Runnable::run);
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  private synchronized boolean readNew(List<RuntimeException> failures) {
    // The lease counts from before the first look: what is written after it may not be seen.
    long from = nanos.getAsLong();
    boolean changed = false;
    Set<String> failed = new TreeSet<>();
    Set<String> names = new TreeSet<>(store.names());
    names.addAll(known.keySet());
    for (String name : names) {
      try {
        changed |= read(name);
      } catch (RuntimeException e) {
        failed.add(name);
        failures.add(e);
      }
    }
    changed |= !failed.equals(unread);
    unread = failed;
    assignments =
        changed
            ? new Assignments(known.values(), unread, () -> isOver(from))
            : assignments.confirmed(() -> isOver(from));
    return changed;
  }

  /** Logs only grow: one that is shorter than it was is not there, or not all of it. */
  private boolean read(String name) {
    ExperimentState before = known.get(name);
    if (before != null && before.status() == Status.ARCHIVED) {
      return false;
    }
    long last = store.last(name);
    if (before != null && last < before.sequence()) {
      throw new IllegalStateException(
          "the log of '%s' ends at move %d, and had %d".formatted(name, last, before.sequence()));
    }
    if (last == 0 || (before != null && before.sequence() == last)) {
      return false;
    }
    known.put(name, store.move(name, last).after());
    return true;
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

  /**
   * Reads what is new as far as it can be read. Whatever fails, the next look may succeed;
   * meanwhile nobody is assigned by a log that cannot be read, and the lease ends assignment where
   * none can.
   */
  void look() {
    try {
      refresh();
      if (failing) {
        LOG.info("the logs of experiments can be read again");
        failing = false;
      }
    } catch (RuntimeException e) {
      if (!failing) {
        LOG.error("logs of experiments cannot be read; nobody is assigned by them", e);
        failing = true;
      }
    }
  }
}
