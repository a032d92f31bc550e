package io.bellwether.serving.log;

import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.spool.Spool;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Events on this machine's disk, on their way to Kafka: all of them, or those that Kafka did not
 * take in time ({@code bellwether.log-first}). One thread sends them in their order. Where answers
 * wait for Kafka it works half of the time at most, so that they have Kafka first. An event may
 * reach Kafka twice (its first copy was late, or the process ended between sending and removing);
 * both copies have its id, by which readers drop the second.
 *
 * <p>Owns the spool and its thread. Thread-safe.
 */
final class EventSpool implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EventSpool.class);

  /** A batch takes about as long as its round trip, and memory for it is small. */
  private static final int MAX_EVENTS = 512;

  private static final long MAX_BYTES = 4 << 20;

  /** How often Kafka, or a folder that cannot be had, is tried again. */
  private static final Duration RETRY = Duration.ofMillis(200);

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
  private static final Duration LAST_MOMENT = Duration.ofSeconds(1);
  private static final long CLOSE_MILLIS = 1000;

  private final ServingConfig config;
  private final Breaker breaker;
  private final Function<Event, ? extends CompletableFuture<?>> kafka;
  private final Thread forwarder = new Thread(this::run, "spool-forwarder");
  private final Counter spooled;
  private final Counter forwarded;
  private final Counter dropped;

  private volatile @Nullable Spool<Event> spool;
  private volatile String state = "opening";
  private volatile boolean closed;

  /**
   * @param breaker says when Kafka is worth a trial
   * @param kafka sends an event; fails where it is not acknowledged in time
   */
  EventSpool(
      ServingConfig config,
      Breaker breaker,
      Function<Event, ? extends CompletableFuture<?>> kafka,
      MeterRegistry registry) {
    this.config = config;
    this.breaker = breaker;
    this.kafka = kafka;
    spooled =
        Counter.builder("bellwether.log.spooled")
            .description("Events that were kept on disk since Kafka did not take them in time")
            .register(registry);
    forwarded =
        Counter.builder("bellwether.log.forwarded")
            .description("Events that went from the spool to Kafka")
            .register(registry);
    dropped =
        Counter.builder("bellwether.log.dropped")
            .description("Events of the spool that Kafka never takes, or that cannot be read")
            .register(registry);
    Gauge.builder("bellwether.spool.bytes", this, EventSpool::bytes)
        .description("Bytes of the spool's files")
        .register(registry);
    Gauge.builder("bellwether.spool.events", this, EventSpool::events)
        .description("Events in the spool")
        .register(registry);
    forwarder.setDaemon(true);
  }

  void start() {
    if (config.spoolBytes().asLongValue() > 0) {
      forwarder.start();
    } else {
      state = "off";
    }
  }

  /** Keeps events, all or none; completes when they are safe, and fails where they cannot be. */
  CompletableFuture<Void> keep(List<Event> events) {
    Spool<Event> open = spool;
    if (open == null) {
      return CompletableFuture.failedFuture(new IOException("the spool is " + state));
    }
    return open.append(events)
        .whenComplete(
            (kept, failure) -> {
              if (failure == null && (kafkaFirst() || away())) {
                spooled.increment(events.size());
              }
            });
  }

  /** Events that Kafka takes within milliseconds need not wait for the disk as well. */
  private boolean forced() {
    return config.spoolFsync() == ServingConfig.Fsync.ALWAYS && (kafkaFirst() || away());
  }

  private boolean kafkaFirst() {
    return config.logFirst() == ServingConfig.LogFirst.KAFKA;
  }

  private boolean away() {
    return breaker.state() != Breaker.State.CLOSED;
  }

  /** Whether an event would find room. */
  boolean writable() {
    Spool<Event> open = spool;
    return open != null && open.writable();
  }

  /** What it is doing, in a few words. */
  String state() {
    Spool<Event> open = spool;
    return open == null
        ? state
        : "%d events, %d of %d bytes"
            .formatted(open.records(), open.bytes(), config.spoolBytes().asLongValue());
  }

  private double bytes() {
    Spool<Event> open = spool;
    return open == null ? 0 : open.bytes();
  }

  private double events() {
    Spool<Event> open = spool;
    return open == null ? 0 : open.records();
  }

  private void run() {
    try {
      Spool<Event> open = open();
      if (open != null) {
        forward(open);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a predecessor that still holds the folder, or for a disk that can be written. */
  private @Nullable Spool<Event> open() throws InterruptedException {
    while (!closed) {
      try {
        Spool<Event> opened =
            Spool.open(
                config.spool(), config.spoolBytes().asLongValue(), new EventFrame(), this::forced);
        if (opened.records() > 0) {
          LOG.infof("The spool holds %d events of an earlier run", opened.records());
        }
        spool = opened;
        return opened;
      } catch (IOException e) {
        String reason = "waiting for its folder: " + e.getMessage();
        if (!reason.equals(state)) {
          LOG.warnf("The spool is %s", reason);
        }
        state = reason;
        pause(RETRY);
      }
    }
    return null;
  }

  private void forward(Spool<Event> from) throws InterruptedException {
    while (!closed) {
      if (!from.await(IDLE)) {
        continue;
      }
      boolean trial = away();
      if (!breaker.allows()) {
        pause(RETRY);
        continue;
      }
      Spool.Batch<Event> batch = from.read(trial ? 1 : MAX_EVENTS, MAX_BYTES);
      if (batch.records().isEmpty()) {
        // Kafka was not asked, so nothing is known of it.
        remove(batch, from);
        pause(RETRY);
        continue;
      }
      long began = System.nanoTime();
      if (!delivered(batch.records())) {
        breaker.failed();
        pause(RETRY);
        continue;
      }
      breaker.succeeded();
      remove(batch, from);
      if (!kafkaFirst()) {
        continue;
      }
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      pause(took.compareTo(LONGEST_PAUSE) < 0 ? took : LONGEST_PAUSE);
    }
  }

  private void remove(Spool.Batch<Event> batch, Spool<Event> from) {
    from.remove(batch);
    dropped.increment(batch.unreadable());
  }

  /** Whether Kafka has all of these, but for those that it never takes. */
  private boolean delivered(List<Event> events) throws InterruptedException {
    List<CompletableFuture<?>> sent = new ArrayList<>(events.size());
    for (Event event : events) {
      sent.add(kafka.apply(event));
    }
    int acknowledged = 0;
    for (CompletableFuture<?> one : sent) {
      try {
        one.get();
        acknowledged++;
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof ProblemException refusal) || !refusesForGood(refusal)) {
          return false;
        }
        LOG.errorf("An event of the spool is dropped: %s", refusal.getMessage());
        dropped.increment();
      }
    }
    forwarded.increment(acknowledged);
    return true;
  }

  private static boolean refusesForGood(ProblemException refusal) {
    return refusal.problem().status() == Slug.PAYLOAD_TOO_LARGE.status();
  }

  private static void pause(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  /**
   * Ends forwarding, after a moment for what is under way; what is kept stays for the next start.
   */
  @Override
  public void close() {
    Spool<Event> last = spool;
    try {
      if (last != null && !away() && !last.awaitEmpty(LAST_MOMENT)) {
        LOG.infof("The spool keeps %d events for the next start", last.records());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closed = true;
    forwarder.interrupt();
    try {
      forwarder.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Spool<Event> open = spool;
    if (open != null) {
      open.close();
    }
  }
}
