package io.bellwether.serving.item;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic of registered items from its beginning and keeps the {@link Catalogue} up to
 * date. Every replica reads all of it; there is no consumer group. Owns its thread and its
 * consumer. Thread-safe.
 */
@Singleton
public final class ItemFeed {

  private static final Logger LOG = Logger.getLogger(ItemFeed.class);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofMillis(300);
  private static final long JOIN_MILLIS = 1000;
  private static final Duration SEEN_TIMEOUT = Duration.ofSeconds(2);

  private final ServingConfig config;
  private final Catalogue catalogue;
  private final Thread thread = new Thread(this::run, "item-feed");
  private final Map<Integer, Long> positions = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable KafkaConsumer<String, byte[]> consumer;
  private volatile boolean caughtUp;
  private volatile boolean closed;
  private volatile String state = "meeting Kafka";

  /** Somebody who wants to know when these positions have been passed. */
  private record Waiting(Map<Integer, Long> next, CompletableFuture<Void> passed) {}

  ItemFeed(ServingConfig config, Catalogue catalogue) {
    this.config = config;
    this.catalogue = catalogue;
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

  /** Whether all items that were registered before the start are known. */
  public boolean caughtUp() {
    return caughtUp;
  }

  /** What the feed is doing, in a few words. */
  public String state() {
    return state;
  }

  /**
   * Completes when the catalogue of this replica shows everything before these offsets, with a
   * timeout after two seconds.
   *
   * @param next offset after the last record of interest, by partition
   */
  CompletableFuture<Void> passed(Map<Integer, Long> next) {
    CompletableFuture<Void> passed = new CompletableFuture<>();
    waiting.add(new Waiting(Map.copyOf(next), passed));
    return passed.orTimeout(SEEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run() {
    while (!closed) {
      try (KafkaConsumer<String, byte[]> opened = new KafkaConsumer<>(properties())) {
        consumer = opened;
        follow(opened);
      } catch (WakeupException e) {
        return;
      } catch (RuntimeException e) {
        // Of whatever kind: without this thread no item would ever change again.
        if (!closed) {
          Throwable reason = e.getCause() == null ? e : e.getCause();
          state = "waiting for Kafka at " + config.kafka() + ": " + reason.getMessage();
          LOG.debug("item feed starts again", e);
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
    state = "reading items";
    while (!closed) {
      ConsumerRecords<String, byte[]> records = opened.poll(POLL);
      for (ConsumerRecord<String, byte[]> record : records) {
        catalogue.apply(record.key(), record.value(), record.timestamp());
      }
      boolean atEnd = caughtUp || reached(opened, ends);
      if (atEnd) {
        catalogue.publish();
        for (TopicPartition partition : partitions) {
          positions.put(partition.partition(), opened.position(partition));
        }
        caughtUp = true;
        state = "following";
        tellWaiting();
      }
    }
  }

  private List<TopicPartition> partitions(KafkaConsumer<String, byte[]> opened) {
    List<TopicPartition> partitions = new ArrayList<>();
    opened
        .partitionsFor(Topics.ITEMS)
        .forEach(p -> partitions.add(new TopicPartition(Topics.ITEMS, p.partition())));
    if (partitions.isEmpty()) {
      state = "waiting for the topic " + Topics.ITEMS + " to exist";
      pause();
    }
    return partitions;
  }

  private static boolean reached(
      KafkaConsumer<String, byte[]> opened, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> opened.position(end.getKey()) >= end.getValue());
  }

  private void tellWaiting() {
    for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
      Waiting one = each.next();
      boolean passed =
          one.next().entrySet().stream()
              .allMatch(next -> positions.getOrDefault(next.getKey(), 0L) >= next.getValue());
      if (passed || one.passed().isDone()) {
        each.remove();
        one.passed().complete(null);
      }
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
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-items");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return properties;
  }
}
