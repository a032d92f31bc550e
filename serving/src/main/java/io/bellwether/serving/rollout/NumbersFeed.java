package io.bellwether.serving.rollout;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic of experiments' numbers from its beginning and keeps the {@link NumbersTable}
 * up to date. Every replica reads all of it; there is no consumer group. While Kafka is away the
 * numbers stay as they are and grow old. Owns its thread and its consumer. Thread-safe.
 */
@Singleton
final class NumbersFeed {

  private static final Logger LOG = Logger.getLogger(NumbersFeed.class);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofMillis(300);
  private static final long JOIN_MILLIS = 1000;

  private final ServingConfig config;
  private final NumbersTable table;
  private final EventCodec<VariantNumbers> codec = EventCodec.of(VariantNumbers.class);
  private final Thread thread = new Thread(this::run, "numbers-feed");
  private volatile @Nullable KafkaConsumer<String, byte[]> consumer;
  private volatile boolean caughtUp;
  private volatile boolean closed;
  private volatile String state = "meeting Kafka";
  private long unreadable;

  NumbersFeed(ServingConfig config, NumbersTable table) {
    this.config = config;
    this.table = table;
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    closed = true;
    KafkaConsumer<String, byte[]> open = consumer;
    if (open != null) {
      // Not interrupted: the consumer would then fail to close.
      open.wakeup();
    }
    thread.join(JOIN_MILLIS);
  }

  /** Whether everything that was counted before the start is known. */
  boolean caughtUp() {
    return caughtUp;
  }

  /** What the feed is doing, in a few words. */
  String state() {
    return state;
  }

  private void run() {
    while (!closed) {
      try (KafkaConsumer<String, byte[]> opened = new KafkaConsumer<>(properties())) {
        consumer = opened;
        follow(opened);
      } catch (WakeupException e) {
        return;
      } catch (RuntimeException e) {
        // Of whatever kind: without this thread numbers would never be young again.
        if (!closed) {
          Throwable reason = e.getCause() == null ? e : e.getCause();
          state = "waiting for Kafka at " + config.kafka() + ": " + reason.getMessage();
          LOG.debug("numbers feed starts again", e);
          pause();
        }
      }
    }
  }

  private void follow(KafkaConsumer<String, byte[]> opened) {
    List<TopicPartition> partitions = partitions(opened);
    if (partitions.isEmpty()) {
      return;
    }
    opened.assign(partitions);
    opened.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = opened.endOffsets(partitions);
    state = "reading numbers";
    while (!closed) {
      for (ConsumerRecord<String, byte[]> record : opened.poll(POLL)) {
        apply(record);
      }
      if (!caughtUp && reached(opened, ends)) {
        table.showAll();
        caughtUp = true;
      }
      if (caughtUp) {
        state = "following";
      }
    }
  }

  private List<TopicPartition> partitions(KafkaConsumer<String, byte[]> opened) {
    List<TopicPartition> partitions = new ArrayList<>();
    opened
        .partitionsFor(Topics.EXPERIMENT_METRICS)
        .forEach(p -> partitions.add(new TopicPartition(Topics.EXPERIMENT_METRICS, p.partition())));
    if (partitions.isEmpty()) {
      state = "waiting for the topic " + Topics.EXPERIMENT_METRICS + " to exist";
      pause();
    }
    return partitions;
  }

  private void apply(ConsumerRecord<String, byte[]> record) {
    if (record.value() == null) {
      return;
    }
    try {
      table.apply(codec.decode(record.value()));
    } catch (UndecodableEventException | IllegalArgumentException e) {
      // Once: whoever writes one such record writes all of them so.
      if (unreadable++ == 0) {
        LOG.errorf(e, "numbers of %s cannot be read and are skipped", record.key());
      }
    }
  }

  private static boolean reached(
      KafkaConsumer<String, byte[]> opened, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> opened.position(end.getKey()) >= end.getValue());
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-numbers");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return properties;
  }
}
