package io.bellwether.serving.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;

/**
 * Finds records in Kafka by decision id and time: an id names its partition, and the time says
 * where in it to begin. It reads a bounded stretch of the log for a bounded time, on one thread of
 * its own; a few searches may wait. Owns the thread and its consumer. Thread-safe.
 */
@Singleton
public final class RecordFinder {

  private static final Logger LOG = Logger.getLogger(RecordFinder.class);

  /** Searches that may wait for the one that runs. */
  private static final int WAITING = 16;

  private static final int RETRY_AFTER_SECONDS = 1;

  /** Clocks of brokers and replicas may differ by so much. */
  private static final Duration EARLIER = Duration.ofSeconds(2);

  /** A decision is in the log so soon after it was made; one that had been spooled is found too. */
  private static final Duration LATER = Duration.ofMinutes(2);

  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(100);

  private final ServingConfig config;
  private final EventCodec<Decision> decisions = EventCodec.of(Decision.class);
  private final EventCodec<Outcome> outcomes = EventCodec.of(Outcome.class);
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread made = new Thread(task, "record-finder");
            made.setDaemon(true);
            return made;
          });

  /**
   * What came of a decision so far.
   *
   * @param outcomes in the order of the log
   * @param complete whether the log was read to its end
   */
  public record Outcomes(List<Outcome> outcomes, boolean complete) {
    public Outcomes {
      outcomes = List.copyOf(outcomes);
    }
  }

  RecordFinder(ServingConfig config) {
    this.config = config;
  }

  void stop(@Observes ShutdownEvent event) {
    thread.shutdown();
  }

  /**
   * The record of a decision that was made about then; empty where the log holds none. Fails as
   * {@code unavailable} where Kafka does not answer and as {@code rate-limited} where too many
   * searches wait.
   */
  public CompletionStage<Optional<Decision>> decision(String id, Instant about) {
    return search(
        consumer -> {
          List<Decision> found = new ArrayList<>(1);
          read(
              consumer,
              partition(consumer, Topics.DECISIONS, id),
              about,
              about.plus(LATER),
              record -> {
                if (id.equals(record.key())) {
                  decoded(decisions, record.value()).ifPresent(found::add);
                }
                return !found.isEmpty();
              });
          return found.stream().findFirst();
        });
  }

  /** The outcomes of a decision that were logged since it was made. Fails as {@link #decision}. */
  public CompletionStage<Outcomes> outcomes(String decisionId, Instant since) {
    return search(
        consumer -> {
          List<Outcome> found = new ArrayList<>();
          boolean complete =
              read(
                  consumer,
                  partition(consumer, Topics.OUTCOMES, decisionId),
                  since,
                  Instant.MAX,
                  record -> {
                    if (decisionId.equals(record.key())) {
                      decoded(outcomes, record.value()).ifPresent(found::add);
                    }
                    return false;
                  });
          return new Outcomes(found, complete);
        });
  }

  /** What is done with an open consumer. */
  private interface Search<T> {
    T in(KafkaConsumer<String, byte[]> consumer);
  }

  private <T> CompletionStage<T> search(Search<T> search) {
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties())) {
              return search.in(consumer);
            } catch (KafkaException e) {
              LOG.debug("a record was not found", e);
              throw ProblemException.retryAfter(
                  Slug.UNAVAILABLE,
                  RETRY_AFTER_SECONDS,
                  "Kafka, which holds the records, does not answer: " + e.getMessage());
            }
          },
          thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          ProblemException.retryAfter(
              Slug.RATE_LIMITED,
              RETRY_AFTER_SECONDS,
              "%d records are being looked for, which is the most.".formatted(WAITING + 1)));
    }
  }

  private static Optional<TopicPartition> partition(
      KafkaConsumer<String, byte[]> consumer, String topic, String key) {
    return partition(topic, consumer.partitionsFor(topic).size(), key);
  }

  /**
   * Where records with this key are, by the producer's own rule.
   *
   * @param partitions of the topic; without any, that is before it was made, nothing is anywhere
   */
  static Optional<TopicPartition> partition(String topic, int partitions, String key) {
    return partitions == 0
        ? Optional.empty()
        : Optional.of(
            new TopicPartition(
                topic, BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), partitions)));
  }

  /**
   * Reads from a time on until the predicate is satisfied, the log ends, a record is later than
   * {@code to}, or patience does.
   *
   * @return whether there was nothing more to read
   */
  private static boolean read(
      KafkaConsumer<String, byte[]> consumer,
      Optional<TopicPartition> place,
      Instant from,
      Instant to,
      Predicate<ConsumerRecord<String, byte[]>> enough) {
    if (place.isEmpty()) {
      return true; // nobody has logged anything yet
    }
    TopicPartition partition = place.get();
    List<TopicPartition> one = List.of(partition);
    consumer.assign(one);
    OffsetAndTimestamp start =
        consumer.offsetsForTimes(Map.of(partition, millisBefore(from))).get(partition);
    if (start == null) {
      return true; // the log ends before that time
    }
    consumer.seek(partition, start.offset());
    long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (consumer.position(partition) < end) {
      if (System.nanoTime() > until) {
        return false;
      }
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        if (enough.test(record) || Instant.ofEpochMilli(record.timestamp()).isAfter(to)) {
          return true;
        }
      }
    }
    return true;
  }

  /** Where to begin; never before 1970, of which Kafka does not want to hear. */
  static long millisBefore(Instant time) {
    return Math.max(0, time.minus(EARLIER).toEpochMilli());
  }

  /** A record of another kind under the same key is nobody's. */
  private static <T extends org.apache.avro.specific.SpecificRecordBase> Optional<T> decoded(
      EventCodec<T> codec, byte[] bytes) {
    try {
      return Optional.of(codec.decode(bytes));
    } catch (UndecodableEventException e) {
      return Optional.empty();
    }
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-finder");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    int patience = Math.toIntExact(PATIENCE.toMillis());
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patience);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, patience - 100);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return properties;
  }
}
