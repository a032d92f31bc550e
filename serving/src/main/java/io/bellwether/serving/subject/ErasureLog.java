package io.bellwether.serving.subject;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka has to do with an erasure: told of it, and asked how long it keeps what. Stateless.
 */
record ErasureLog(String kafka) {

  /** Header with the name of who asked. */
  static final String BY = "x-by";

  /** Header with what they gave as the reason. */
  static final String REASON = "x-reason";

  private static final int PATIENCE_MILLIS = 10_000;

  /** What holds events of subjects, or ids of their decisions. */
  private static final List<String> HOLDING =
      List.of(
          Topics.DECISIONS,
          Topics.OUTCOMES,
          Topics.EXPOSURES,
          Topics.TRAINING,
          Topics.DEAD_LETTERS,
          Topics.DEAD_LETTER_ACTIONS);

  /**
   * Tells of erasures; all are acknowledged on return.
   *
   * @throws KafkaException where Kafka does not answer
   */
  void tell(List<Erasure> erasures, String by, @Nullable String reason) {
    createTopic();
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(producing())) {
      List<Future<?>> sent = new ArrayList<>();
      for (Erasure erasure : erasures) {
        ProducerRecord<String, byte[]> record =
            new ProducerRecord<>(Topics.ERASURES, erasure.key(), erasure.value());
        record.headers().add(BY, by.getBytes(UTF_8));
        if (reason != null) {
          record.headers().add(REASON, reason.getBytes(UTF_8));
        }
        sent.add(producer.send(record));
      }
      for (Future<?> each : sent) {
        answer(each);
      }
    }
  }

  /**
   * By when each topic has let go of what was written up to a moment; without a moment where it
   * keeps records for ever.
   */
  List<Receipt.Expiry> expiries(Instant written) {
    Map<ConfigResource, String> topics = new HashMap<>();
    HOLDING.forEach(t -> topics.put(new ConfigResource(ConfigResource.Type.TOPIC, t), t));
    List<Receipt.Expiry> expiries = new ArrayList<>();
    try (Admin admin = admin()) {
      var settings = admin.describeConfigs(topics.keySet()).values();
      for (String topic : HOLDING) {
        Config config;
        try {
          config = answer(settings.get(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
        } catch (KafkaException e) {
          if (e.getCause() instanceof UnknownTopicOrPartitionException) {
            continue; // It holds nothing.
          }
          throw e;
        }
        expiries.add(new Receipt.Expiry("kafka " + topic, gone(written, config).orElse(null)));
      }
    }
    return expiries;
  }

  /** A segment goes as a whole when its last record is old enough, and is closed by then. */
  private static Optional<Instant> gone(Instant written, Config config) {
    long retention = millis(config, TopicConfig.RETENTION_MS_CONFIG);
    long segment = millis(config, TopicConfig.SEGMENT_MS_CONFIG);
    return retention < 0
        ? Optional.empty()
        : Optional.of(written.plusMillis(retention).plusMillis(Math.max(0, segment)));
  }

  private static long millis(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? -1 : Long.parseLong(entry.value());
  }

  private void createTopic() {
    NewTopic topic =
        new NewTopic(Topics.ERASURES, Optional.of(1), Optional.empty())
            .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    try (Admin admin = admin()) {
      answer(admin.createTopics(List.of(topic)).all());
    } catch (KafkaException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS,
            AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG, ""));
  }

  private static <T> T answer(@Nullable Future<T> future) {
    if (future == null) {
      throw new KafkaException("Kafka does not say");
    }
    try {
      return future.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new KafkaException(e.getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException("no answer within " + Duration.ofMillis(PATIENCE_MILLIS), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted", e);
    }
  }

  /** A moment in microseconds. */
  static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }

  /** The moment of some microseconds. */
  static Instant moment(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private Map<String, Object> producing() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "bellwether-serving-erasures");
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS - 1000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    properties.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return properties;
  }
}
