package io.bellwether.serving.retrieval;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic of outcomes and counts them for {@link Popularity}, at the start those of the
 * recent past. Every replica reads all of them; there is no consumer group. While Kafka is away
 * popularity stays as it is. Owns its thread and its consumer.
 */
@Singleton
final class PopularityFeed {

  private static final Logger LOG = Logger.getLogger(PopularityFeed.class);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final long JOIN_MILLIS = 1000;

  /** What is read of the past at most, so that a start ends. */
  private static final long MOST_OF_THE_PAST = 2_000_000;

  private static final long BETWEEN_RANKINGS_NANOS = Duration.ofSeconds(1).toNanos();

  private final ServingConfig config;
  private final Popularity popularity;
  private final Clock clock;
  private final EventCodec<Outcome> codec = EventCodec.of(Outcome.class);
  private final Thread thread = new Thread(this::run, "popularity-feed");
  private volatile @Nullable KafkaConsumer<String, byte[]> consumer;
  private volatile boolean closed;
  private volatile String state = "meeting Kafka";
  private long rankedNanos;

  PopularityFeed(ServingConfig config, Popularity popularity, Clock clock) {
    this.config = config;
    this.popularity = popularity;
    this.clock = clock;
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
        // Of whatever kind: without this thread popularity would never change again.
        if (!closed) {
          Throwable reason = e.getCause() == null ? e : e.getCause();
          state = "waiting for Kafka at " + config.kafka() + ": " + reason.getMessage();
          LOG.debug("popularity feed starts again", e);
          pause();
        }
      }
    }
  }

  private void follow(KafkaConsumer<String, byte[]> opened) {
    List<TopicPartition> partitions = new ArrayList<>();
    opened
        .partitionsFor(Topics.OUTCOMES)
        .forEach(p -> partitions.add(new TopicPartition(Topics.OUTCOMES, p.partition())));
    if (partitions.isEmpty()) {
      state = "waiting for the topic " + Topics.OUTCOMES + " to exist";
      pause();
      return;
    }
    opened.assign(partitions);
    Map<TopicPartition, Long> ends = seekToThePast(opened, partitions);
    popularity.clear();
    state = "reading outcomes";
    while (!closed) {
      for (ConsumerRecord<String, byte[]> record : opened.poll(POLL)) {
        take(record.value());
      }
      if (ends.isEmpty() || reached(opened, ends)) {
        ends.clear();
        state = "following";
        rankNowAndThen();
      }
    }
  }

  /** Where the past ends. */
  private Map<TopicPartition, Long> seekToThePast(
      KafkaConsumer<String, byte[]> opened, List<TopicPartition> partitions) {
    long from = clock.instant().minus(popularity.memory()).toEpochMilli();
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, Math.max(0, from)));
    Map<TopicPartition, Long> ends = new HashMap<>(opened.endOffsets(partitions));
    Map<TopicPartition, Long> begins = opened.beginningOffsets(partitions);
    Map<TopicPartition, @Nullable OffsetAndTimestamp> since = opened.offsetsForTimes(times);
    for (TopicPartition partition : partitions) {
      long end = ends.getOrDefault(partition, 0L);
      OffsetAndTimestamp first = since.get(partition);
      long start = first == null ? end : first.offset();
      long bound = end - MOST_OF_THE_PAST / partitions.size();
      opened.seek(partition, Math.max(begins.getOrDefault(partition, 0L), Math.max(start, bound)));
    }
    return ends;
  }

  private static boolean reached(
      KafkaConsumer<String, byte[]> opened, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> opened.position(end.getKey()) >= end.getValue());
  }

  private void take(byte @Nullable [] value) {
    if (value == null) {
      return;
    }
    try {
      Outcome outcome = codec.decode(value);
      String item = outcome.getItemId();
      if (item != null) {
        popularity.observe(
            outcome.getSignal(), item, outcome.getValue(), outcome.getOccurredAtMicros() / 1000);
      }
    } catch (UndecodableEventException e) {
      // The attribution job refuses it as a dead letter; here it counts for nothing.
      LOG.debug("an outcome that cannot be read", e);
    }
  }

  private void rankNowAndThen() {
    long now = System.nanoTime();
    if (rankedNanos == 0 || now - rankedNanos > BETWEEN_RANKINGS_NANOS) {
      rankedNanos = now;
      popularity.rank();
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
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-popularity");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return properties;
  }
}
