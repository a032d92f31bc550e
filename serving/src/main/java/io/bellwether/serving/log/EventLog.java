package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.BreakerMeters;
import io.bellwether.serving.outage.Patience;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where events become safe: in Kafka, acknowledged by all in-sync replicas, in order per key and
 * without duplicates of the producer's own; or, while Kafka is away or late, on this machine's disk
 * until it is back. Owns the producer and the spool. Thread-safe.
 *
 * <p>Kafka is met in the background, so that the start does not wait for it. {@link #record} takes
 * either place; {@link #send} is for what only Kafka itself can answer. Neither holds the thread
 * that calls.
 */
@Singleton
public final class EventLog {

  private static final Logger LOG = Logger.getLogger(EventLog.class);

  private static final String SOURCE = "/bellwether/serving";

  /** Waits for company for this long: a round trip to the broker takes about as long anyway. */
  private static final int LINGER_MILLIS = 1;

  /** The same where no answer waits: a batch costs Kafka and us about as much as an event. */
  private static final int PATIENT_LINGER_MILLIS = 10;

  /** A full buffer or unknown metadata never hold a worker: the event goes to the spool. */
  private static final int BLOCK_MILLIS = 0;

  /**
   * A topic that nobody writes to is not forgotten: to learn it again needs a Kafka that is there.
   */
  private static final Duration METADATA_IDLE = Duration.ofDays(1);

  private static final Duration RETRY = Duration.ofMillis(50);

  /** In a row; a single late one is a pause of the broker, and only costs a copy in the spool. */
  private static final int FAILURES = 3;

  private static final Duration FIRST_TRIAL = Duration.ofMillis(250);

  /** Soon after Kafka is back the spool is forwarded and events wait for Kafka again. */
  private static final Duration NEXT_TRIALS = Duration.ofSeconds(1);

  /**
   * A decision carries encoded and raw features of all its candidates; this is past any of them.
   */
  private static final int MAX_EVENT_BYTES = 16 << 20;

  /** Half of what a topic accepts unless it is told otherwise. */
  static final int LARGE_EVENT_BYTES = 512 << 10;

  /** So that a batch holds more than the one decision that would fill the default. */
  private static final int BATCH_BYTES = 256 << 10;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final List<String> TOPICS =
      List.of(Topics.DECISIONS, Topics.OUTCOMES, Topics.ITEMS, Topics.EXPOSURES);

  private final ServingConfig config;
  private final MeterRegistry registry;
  private final EventSpool spool;
  private final Breaker breaker =
      new Breaker(new Patience(FAILURES, FIRST_TRIAL, NEXT_TRIALS), System::nanoTime);
  private final Recording.Ways ways;
  private final Counter refused;
  private final Thread opener = new Thread(this::open, "kafka-opener");
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, task -> daemon(task, "log-timers"));
  private volatile @Nullable KafkaProducer<String, byte[]> producer;
  private volatile String state = "meeting Kafka";
  private volatile boolean closed;

  EventLog(ServingConfig config, MeterRegistry registry) {
    this.config = config;
    this.registry = registry;
    spool = new EventSpool(config, breaker, this::send, registry);
    ways =
        new Recording.Ways(this::send, spool::keep, breaker, timers, config.spoolAfter().toNanos());
    refused =
        Counter.builder("bellwether.log.refused")
            .description("Answers whose events neither Kafka nor the spool took in time")
            .register(registry);
    BreakerMeters.show(registry, "kafka", breaker);
    opener.setDaemon(true);
    timers.setRemoveOnCancelPolicy(true);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  void start(@Observes StartupEvent event) {
    opener.start();
    spool.start();
  }

  /** Last of all, so that what is still being answered can be logged. */
  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    closed = true;
    opener.interrupt();
    timers.shutdown();
    spool.close();
    KafkaProducer<String, byte[]> open = producer;
    if (open != null) {
      open.close(CLOSE_TIMEOUT);
    }
  }

  /**
   * Whether an event would be safe somewhere: Kafka was met, or the spool has room. That Kafka goes
   * away later is an outage, not a start.
   */
  public boolean ready() {
    return producer != null || spool.writable();
  }

  /** What Kafka is to us, in a few words. */
  public String state() {
    return breaker.state() == Breaker.State.CLOSED
        ? state
        : "spooling, since Kafka does not acknowledge in time";
  }

  /** What the spool is doing, in a few words. */
  public String spoolState() {
    return spool.state();
  }

  /** Makes an event safe, as {@link #record(List, long)} does, where no deadline waits for it. */
  public CompletableFuture<Stored> record(Event event) {
    return record(List.of(event), byNanos());
  }

  /** Makes an event safe, as {@link #record(List, long)} does. */
  public CompletableFuture<Stored> record(Event event, long byNanos) {
    return record(List.of(event), byNanos);
  }

  /**
   * When an event is to be logged that has no deadline: {@code bellwether.log-timeout} from now.
   */
  public long byNanos() {
    return System.nanoTime() + config.logTimeout().toNanos();
  }

  /**
   * Makes events safe, all of them or none: on this machine's disk, from where Kafka gets them at
   * once, or, with {@code bellwether.log-first=KAFKA}, in Kafka itself. Then Kafka has most of the
   * time that is left, and at most {@code bellwether.spool-after}; after it, or at once while Kafka
   * is known to be away, they go to the disk. Whichever is first fails over to the other. Events
   * that come to Kafka after all are there twice, under their ids.
   *
   * <p>Completes with where they are, on a thread of Kafka's or of the spool's; fails by {@code
   * byNanos}, or a few milliseconds later, as {@code unavailable} where that is nowhere, and as
   * {@code payload-too-large} where Kafka takes no event of this size.
   *
   * @param events of one answer, at least one
   * @param byNanos {@link System#nanoTime} by which the answer has to leave
   */
  public CompletableFuture<Stored> record(List<Event> events, long byNanos) {
    return (diskFirst(events)
            ? new DiskFirst(events, byNanos, ways).begin()
            : new Recording(events, byNanos, ways).begin())
        .whenComplete(
            (stored, failure) -> {
              if (failure != null) {
                refused.increment();
              }
            });
  }

  /** Kafka may refuse a large event for good, which its caller has to hear. */
  private boolean diskFirst(List<Event> events) {
    if (config.logFirst() != ServingConfig.LogFirst.DISK
        || config.spoolBytes().asLongValue() == 0) {
      return false;
    }
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).value().length > LARGE_EVENT_BYTES) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes the events of a surface's answer safe, as {@link #record(List, long)} does; where that is
   * nowhere and the surface answers all the same, completes with {@link Stored#UNLOGGED}, counted.
   */
  public CompletableFuture<Stored> record(List<Event> events, Surface surface, long byNanos) {
    CompletableFuture<Stored> stored = record(events, byNanos);
    return surface.whenUnlogged() == Surface.WhenUnlogged.REFUSE
        ? stored
        : stored.exceptionally(failure -> unlogged(surface, failure));
  }

  private Stored unlogged(Surface surface, Throwable failure) {
    Throwable cause = ProblemMapper.unwrapped(failure);
    if (!(cause instanceof ProblemException refusal)
        || refusal.problem().status() != Slug.UNAVAILABLE.status()) {
      throw new CompletionException(cause);
    }
    Counter.builder("bellwether.log.unlogged")
        .description("Answers that are in no log, which their surface prefers to none")
        .tag("surface", surface.name())
        .register(registry)
        .increment();
    return Stored.UNLOGGED;
  }

  /**
   * Sends an event to Kafka and nowhere else; completes when Kafka has acknowledged it, with {@code
   * unavailable} when it did not in time, and with {@code payload-too-large} when it takes no event
   * of this size.
   */
  public CompletableFuture<RecordMetadata> send(Event event) {
    KafkaProducer<String, byte[]> open = producer;
    if (open == null) {
      return CompletableFuture.failedFuture(Recording.unavailable(state));
    }
    CompletableFuture<RecordMetadata> acknowledged = new CompletableFuture<>();
    try {
      // The callback tells all that the future would.
      var unused =
          open.send(
              message(event),
              (metadata, failure) -> {
                if (failure == null) {
                  acknowledged.complete(metadata);
                } else {
                  acknowledged.completeExceptionally(refusal(event, failure));
                }
              });
    } catch (RuntimeException e) {
      // Also of a producer that was closed: whoever waits is to hear of it.
      acknowledged.completeExceptionally(refusal(event, e));
    }
    return acknowledged;
  }

  private static ProducerRecord<String, byte[]> message(Event event) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(event.topic(), event.key(), event.value());
    Headers headers = record.headers();
    headers.add("ce_specversion", "1.0".getBytes(UTF_8));
    headers.add("ce_id", event.id().getBytes(UTF_8));
    headers.add("ce_source", SOURCE.getBytes(UTF_8));
    headers.add("ce_type", event.type().getBytes(UTF_8));
    headers.add("ce_time", event.time().toString().getBytes(UTF_8));
    headers.add("content-type", event.mediaType().getBytes(UTF_8));
    return record;
  }

  private static ProblemException refusal(Event event, Exception failure) {
    if (failure instanceof RecordTooLargeException) {
      return new ProblemException(
          Problem.of(
              Slug.PAYLOAD_TOO_LARGE,
              "The event has %d bytes, more than Kafka accepts (max.message.bytes of %s)."
                  .formatted(event.value().length, event.topic())));
    }
    LOG.debugf(failure, "%s %s was not acknowledged", event.topic(), event.id());
    return Recording.unavailable("Kafka did not acknowledge in time: " + failure.getMessage());
  }

  /** Connects and learns the topics' partitions, so that no first request waits for them. */
  private void open() {
    KafkaProducer<String, byte[]> opening = null;
    while (!closed) {
      try {
        if (opening == null) {
          opening = new KafkaProducer<>(properties());
        }
        for (String topic : TOPICS) {
          opening.partitionsFor(topic);
        }
        producer = opening;
        state = "open";
        return;
      } catch (KafkaException e) {
        Throwable reason = e.getCause() == null ? e : e.getCause();
        state = "waiting for Kafka at " + config.kafka() + ": " + reason.getMessage();
        pause();
      }
    }
    if (opening != null) {
      opening.close(Duration.ZERO);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> properties() {
    int timeoutMillis = Math.toIntExact(config.logTimeout().toMillis());
    int linger =
        config.logFirst() == ServingConfig.LogFirst.DISK ? PATIENT_LINGER_MILLIS : LINGER_MILLIS;
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "bellwether-serving");
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A block of 64 KiB per batch to compress floats that hardly get smaller; a topic can be told
    // to.
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, linger);
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis - linger);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, config.logBuffer().asLongValue());
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_EVENT_BYTES);
    properties.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE.toMillis());
    properties.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    properties.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1000);
    return properties;
  }
}
