package io.bellwether.ingestion.erasure;

import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of erasures. All that were asked for before it was opened are known when it is
 * open, later ones within about a second. Owns a thread and its consumer. Thread-safe.
 */
public final class ErasureFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ErasureFeed.class);

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long JOIN_MILLIS = 2000;

  private final ErasedSubjects subjects;
  private final @Nullable KafkaConsumer<String, byte[]> consumer;
  private final @Nullable Thread thread;
  private volatile boolean closed;

  private ErasureFeed(ErasedSubjects subjects, @Nullable KafkaConsumer<String, byte[]> consumer) {
    this.subjects = subjects;
    this.consumer = consumer;
    thread = consumer == null ? null : new Thread(() -> run(consumer), "erasures");
  }

  /** These and no others. */
  public static ErasureFeed of(ErasedSubjects subjects) {
    return new ErasureFeed(subjects, null);
  }

  static ErasureFeed follow(String bootstrap) {
    KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties(bootstrap));
    ErasureFeed feed = new ErasureFeed(new ErasedSubjects(), consumer);
    try {
      feed.catchUp(consumer);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
    if (feed.thread != null) {
      feed.thread.setDaemon(true);
      feed.thread.start();
    }
    return feed;
  }

  /** Whom to forget; grows while this is open. */
  public ErasedSubjects subjects() {
    return subjects;
  }

  private void catchUp(KafkaConsumer<String, byte[]> reading) {
    List<TopicPartition> partitions = new ArrayList<>();
    // A topic that does not exist yet has erased nobody; it is looked for again by the thread.
    reading
        .partitionsFor(Topics.ERASURES)
        .forEach(p -> partitions.add(new TopicPartition(p.topic(), p.partition())));
    reading.assign(partitions);
    reading.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = reading.endOffsets(partitions);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (ends.entrySet().stream().anyMatch(e -> reading.position(e.getKey()) < e.getValue())) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException(
            "the erasures in " + Topics.ERASURES + " were not read within " + PATIENCE);
      }
      take(reading);
    }
  }

  private void take(KafkaConsumer<String, byte[]> reading) {
    for (ConsumerRecord<String, byte[]> record : reading.poll(POLL)) {
      Erasure.read(record.key(), record.value()).ifPresent(subjects::add);
    }
  }

  private void run(KafkaConsumer<String, byte[]> reading) {
    boolean said = false;
    while (!closed) {
      try {
        if (reading.assignment().isEmpty()) {
          catchUp(reading);
        }
        if (reading.assignment().isEmpty()) {
          Thread.sleep(RETRY.toMillis());
        } else {
          take(reading);
        }
      } catch (WakeupException | InterruptedException e) {
        break;
      } catch (KafkaException | IllegalStateException e) {
        if (!said) {
          LOG.warn("Erasures cannot be followed now: {}", e.getMessage());
          said = true;
        }
        pause();
      }
    }
    reading.close();
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, Object> properties(String bootstrap) {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        bootstrap,
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
        StringDeserializer.class,
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
        ByteArrayDeserializer.class,
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "earliest",
        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
        false,
        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
        false,
        ConsumerConfig.CLIENT_ID_CONFIG,
        "bellwether-erasures",
        ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG,
        "",
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
        30_000);
  }

  @Override
  public void close() {
    closed = true;
    if (thread == null || consumer == null) {
      return;
    }
    consumer.wakeup();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
