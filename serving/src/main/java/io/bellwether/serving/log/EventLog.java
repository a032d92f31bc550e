package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
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
 * Kafka, as serving writes to it: every event acknowledged by all in-sync replicas, in order per
 * key, without duplicates of the producer's own. Owns the producer. Thread-safe.
 *
 * <p>Kafka is met in the background, so that the start does not wait for it; until then, and
 * whenever it does not acknowledge in time, {@link #send} fails as {@code unavailable}.
 */
@Singleton
public final class EventLog {

  private static final Logger LOG = Logger.getLogger(EventLog.class);

  private static final String SOURCE = "/bellwether/serving";

  /** Waits for company for this long: a round trip to the broker takes about as long anyway. */
  private static final int LINGER_MILLIS = 1;

  /** How long a full buffer or unknown metadata may hold a worker before the event is refused. */
  private static final int BLOCK_MILLIS = 250;

  /**
   * A decision carries encoded and raw features of all its candidates; this is past any of them.
   */
  private static final int MAX_EVENT_BYTES = 16 << 20;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
  private static final int RETRY_AFTER_SECONDS = 1;
  private static final List<String> TOPICS =
      List.of(Topics.DECISIONS, Topics.OUTCOMES, Topics.ITEMS, Topics.EXPOSURES);

  private final ServingConfig config;
  private final Thread opener = new Thread(this::open, "kafka-opener");
  private volatile @Nullable KafkaProducer<String, byte[]> producer;
  private volatile String state = "meeting Kafka";
  private volatile boolean closed;

  EventLog(ServingConfig config) {
    this.config = config;
    opener.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    opener.start();
  }

  /** Last of all, so that what is still being answered can be logged. */
  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    closed = true;
    opener.interrupt();
    KafkaProducer<String, byte[]> open = producer;
    if (open != null) {
      open.close(CLOSE_TIMEOUT);
    }
  }

  /** Whether Kafka was met. It stays so when Kafka goes away: that is an outage, not a start. */
  public boolean ready() {
    return producer != null;
  }

  /** What the log is doing, in a few words. */
  public String state() {
    return state;
  }

  /**
   * Sends an event; completes when Kafka has acknowledged it, with {@code unavailable} when it did
   * not in time, and with {@code payload-too-large} when it takes no event of this size. May hold
   * the calling thread for a quarter of a second while Kafka is away.
   */
  public CompletableFuture<RecordMetadata> send(Event event) {
    KafkaProducer<String, byte[]> open = producer;
    if (open == null) {
      return CompletableFuture.failedFuture(unavailable(state));
    }
    CompletableFuture<RecordMetadata> acknowledged = new CompletableFuture<>();
    try {
      // The callback tells all that the future would.
      var unused =
          open.send(
              record(event),
              (metadata, failure) -> {
                if (failure == null) {
                  acknowledged.complete(metadata);
                } else {
                  acknowledged.completeExceptionally(refusal(event, failure));
                }
              });
    } catch (KafkaException e) {
      acknowledged.completeExceptionally(refusal(event, e));
    }
    return acknowledged;
  }

  private static ProducerRecord<String, byte[]> record(Event event) {
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
    return unavailable("Kafka did not acknowledge in time: " + failure.getMessage());
  }

  private static ProblemException unavailable(String why) {
    return ProblemException.retryAfter(
        Slug.UNAVAILABLE,
        RETRY_AFTER_SECONDS,
        "The event was not logged (" + why + "); send the same request again.");
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
      Thread.sleep(BLOCK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> properties() {
    int timeoutMillis = Math.toIntExact(config.logTimeout().toMillis());
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "bellwether-serving");
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis - LINGER_MILLIS);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, config.logBuffer().asLongValue());
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_EVENT_BYTES);
    properties.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    properties.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1000);
    return properties;
  }
}
