package io.bellwether.serving.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * What was done about dead letters, as its topic says. Whoever acts takes the one transactional id
 * that all replicas share, which ends whatever another one had begun; reads the topic to its end;
 * and writes what it does together with what it sends, in one transaction. So of two that replay
 * one letter at the same time one is told to come again, and then finds it replayed. Confined to
 * one thread, but for {@link #close}.
 */
final class ActionLog {

  private static final String TRANSACTIONAL_ID = "bellwether-dead-letters";
  private static final String REPLAYED_FROM = "x-replayed-from";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** As large as any event. */
  private static final int MAX_EVENT_BYTES = 16 << 20;

  /** Longer than dead letters are kept, which is 30 days. */
  private static final Duration KEPT = Duration.ofDays(60);

  private final String kafka;
  private final Map<LetterId, Action> known = new HashMap<>();
  private volatile @Nullable KafkaConsumer<String, byte[]> reading;
  private @Nullable KafkaProducer<String, byte[]> acting;

  /**
   * An event on its way to its topic. The array is not copied.
   *
   * @param from the dead letter that it was
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sending(String topic, String key, byte @Nullable [] value, LetterId from) {}

  ActionLog(String kafka) {
    this.kafka = kafka;
  }

  /** What was done about a letter, as far as it has been read. */
  Action of(LetterId id) {
    return known.getOrDefault(id, Action.NONE);
  }

  /** Reads what is new. */
  void catchUp() {
    KafkaConsumer<String, byte[]> consumer = reading;
    if (consumer == null) {
      consumer = new KafkaConsumer<>(consuming());
      reading = consumer;
    }
    if (consumer.assignment().isEmpty()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.DEAD_LETTER_ACTIONS).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    long until = System.nanoTime() + PATIENCE.toNanos();
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      while (consumer.position(end.getKey()) < end.getValue()) {
        if (System.nanoTime() > until) {
          throw new KafkaException("what was done about dead letters is still being read");
        }
        consumer.poll(POLL).forEach(this::take);
      }
    }
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    Optional<LetterId> id = record.key() == null ? Optional.empty() : LetterId.read(record.key());
    if (id.isEmpty()) {
      return;
    }
    Action.read(record.value())
        .ifPresentOrElse(action -> known.put(id.get(), action), () -> known.remove(id.get()));
  }

  /**
   * Does something while nobody else can: with all of the topic known, so that {@link #write} is
   * its next record or fails.
   */
  <T> T alone(Supplier<T> work) {
    createTopic();
    KafkaProducer<String, byte[]> producer = new KafkaProducer<>(producing());
    try {
      producer.initTransactions();
      acting = producer;
      catchUp();
      return work.get();
    } catch (ProducerFencedException
        | InvalidProducerEpochException
        | InvalidPidMappingException e) {
      throw ProblemException.retryAfter(
          Slug.REQUEST_IN_PROGRESS, 1, "Somebody else acts on dead letters just now; ask again.");
    } finally {
      acting = null;
      // Without a bound it would wait for a coordinator that is away, and with it everybody else.
      producer.close(CLOSE_TIMEOUT);
    }
  }

  /** Writes down what was done, and sends these, all of it or nothing. */
  void write(Map<LetterId, Action> actions, List<Sending> sendings) {
    KafkaProducer<String, byte[]> producer = acting;
    if (producer == null) {
      throw new IllegalStateException("only alone");
    }
    producer.beginTransaction();
    for (Sending sending : sendings) {
      ProducerRecord<String, byte[]> record =
          new ProducerRecord<>(sending.topic(), sending.key(), sending.value());
      record.headers().add(REPLAYED_FROM, sending.from().toString().getBytes(UTF_8));
      // The commit fails where a sending does.
      var unused = producer.send(record);
    }
    actions.forEach(
        (id, action) -> {
          var unused =
              producer.send(
                  new ProducerRecord<>(Topics.DEAD_LETTER_ACTIONS, id.toString(), action.write()));
        });
    producer.commitTransaction();
    known.putAll(actions);
  }

  private void createTopic() {
    if (known.isEmpty()) {
      try (Admin admin =
          Admin.create(
              Map.of(
                  AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                  kafka,
                  AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                  (int) PATIENCE.toMillis(),
                  AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                  (int) PATIENCE.toMillis()))) {
        create(admin);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new KafkaException("interrupted", e);
      }
    }
  }

  private static void create(Admin admin) throws InterruptedException {
    NewTopic topic =
        new NewTopic(Topics.DEAD_LETTER_ACTIONS, Optional.of(1), Optional.empty())
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE,
                    TopicConfig.RETENTION_MS_CONFIG,
                    Long.toString(KEPT.toMillis())));
    try {
      List<NewTopic> one = new ArrayList<>(List.of(topic));
      admin.createTopics(one).all().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new KafkaException("cannot create " + Topics.DEAD_LETTER_ACTIONS, e);
      }
    } catch (TimeoutException e) {
      throw new KafkaException("cannot create " + Topics.DEAD_LETTER_ACTIONS, e);
    }
  }

  /** From any thread, after the last call. */
  void close() {
    KafkaConsumer<String, byte[]> consumer = reading;
    if (consumer != null) {
      consumer.wakeup();
      try {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(CLOSE_TIMEOUT));
      } catch (java.util.ConcurrentModificationException | WakeupException e) {
        // Its thread is inside; the end of the process closes it.
        return;
      }
    }
  }

  private Map<String, Object> consuming() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-dead-letter-actions");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() - 100);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return properties;
  }

  private Map<String, Object> producing() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "bellwether-serving-dead-letters");
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, TRANSACTIONAL_ID);
    // An act that breaks off holds back readers of the log for no longer than this.
    properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) PATIENCE.toMillis());
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() - 1000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_EVENT_BYTES);
    properties.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return properties;
  }
}
