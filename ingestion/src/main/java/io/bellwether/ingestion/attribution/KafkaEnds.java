package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.metrics.WriteNumbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The ends of the job that are in Kafka. Immutable.
 *
 * <p>A checkpoint holds what was written in transactions that are not yet committed. A job that is
 * killed between the two commits them when it starts again; where the broker gave them up
 * meanwhile, what they held is missing from the topic (not from the archive). So a transaction may
 * stay open for as long as the broker allows. It does not block readers for that long: the next
 * start ends whatever the last one left open.
 *
 * <p>After such a start, Flink's {@code KafkaCommitter} also reports transactions as "already
 * fenced" that were committed just before the end: since Kafka 4.0 a broker gives each commit a new
 * epoch and so refuses the second one. Nothing is lost by that.
 *
 * <p>Each checkpoint's transaction has an id of its own, Flink's default. Ids from a pool would
 * spare the broker's memory, but a killed job then leaves a transaction open that nobody ends
 * (FLINK-40626), and an id's epoch overflows after some 32,000 checkpoints (FLINK-40689).
 *
 * @param bootstrap {@code host:port}, several separated by commas
 * @param job tells this job's consumer group and transactions from those of others
 * @param transactionTimeout after which the broker gives up a transaction of ours
 */
public record KafkaEnds(String bootstrap, String job, Duration transactionTimeout) {

  private static final int PARTITIONS = 12;
  private static final int DEAD_LETTER_PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String BROKER_TIMEOUT = "transaction.max.timeout.ms";

  /** A restart takes less; what takes longer than this would lose transitions. */
  private static final Duration LEAST_TRANSACTION_TIMEOUT = Duration.ofMinutes(5);

  /** As long as events are kept to be read again. */
  private static final Duration GREATEST_TRANSACTION_TIMEOUT = Duration.ofDays(7);

  /**
   * Creates the topics that are absent, and asks how long the broker lets a transaction stay open:
   * at a job's start a limit that is too low is one clear message, later it would be a restart
   * loop, or a loss.
   *
   * @throws IllegalStateException when the limit is too low, naming the setting
   */
  public static KafkaEnds connect(String bootstrap, String job) throws InterruptedException {
    Map<String, Object> configuration =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            (int) PATIENCE.toMillis());
    try (Admin admin = Admin.create(configuration)) {
      Duration timeout = transactionTimeout(admin);
      createTopics(admin);
      return new KafkaEnds(bootstrap, job, timeout);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka at " + bootstrap + " does not answer: " + e, e);
    }
  }

  /** Decisions, outcomes and exposures; from the beginning where no checkpoint says otherwise. */
  public Source<Received, ?, ?> records() {
    return KafkaSource.<Received>builder()
        .setBootstrapServers(bootstrap)
        .setGroupId(job)
        .setTopics(Topics.DECISIONS, Topics.OUTCOMES, Topics.EXPOSURES)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setProperty("partition.discovery.interval.ms", "60000")
        // What a sender took back did not happen.
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        // Bounds what one fetch brings: 36 partitions at once must fit a small heap.
        .setProperty("max.partition.fetch.bytes", "262144")
        .setProperty("fetch.max.bytes", "4194304")
        .setDeserializer(new ReadRecords())
        .build();
  }

  /** Transitions, exactly once. */
  public Sink<Transition> transitions() {
    return exactlyOnce("transitions", new WriteTransitions());
  }

  /** Numbers of experiments, exactly once. */
  public Sink<VariantNumbers> numbers() {
    return exactlyOnce("numbers", new WriteNumbers());
  }

  /** Dead letters, exactly once. */
  public Sink<DeadLetter> deadLetters() {
    return exactlyOnce("dead-letters", new WriteDeadLetters());
  }

  private <T> Sink<T> exactlyOnce(String name, KafkaRecordSerializationSchema<T> schema) {
    return KafkaSink.<T>builder()
        .setBootstrapServers(bootstrap)
        .setRecordSerializer(schema)
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(job + "-" + name)
        .setProperty(
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(transactionTimeout.toMillis()))
        .setProperty(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd")
        // A pool of producers exists per subtask; each may hold this much.
        .setProperty(ProducerConfig.BUFFER_MEMORY_CONFIG, "8388608")
        .build();
  }

  private static Duration transactionTimeout(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    String broker =
        Integer.toString(
            admin.describeCluster().nodes().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).stream()
                .findAny()
                .orElseThrow(() -> new IllegalStateException("Kafka names no broker"))
                .id());
    ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker);
    Config settings =
        Objects.requireNonNull(
            admin
                .describeConfigs(Set.of(resource))
                .all()
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .get(resource));
    Duration allowed =
        Optional.ofNullable(settings.get(BROKER_TIMEOUT))
            .map(e -> Duration.ofMillis(Long.parseLong(e.value())))
            .orElse(GREATEST_TRANSACTION_TIMEOUT);
    if (allowed.compareTo(LEAST_TRANSACTION_TIMEOUT) < 0) {
      throw new IllegalStateException(
          BROKER_TIMEOUT
              + " of the broker is "
              + allowed.toMillis()
              + ", but this job's transactions need at least "
              + LEAST_TRANSACTION_TIMEOUT.toMillis()
              + ": raise it");
    }
    return allowed.compareTo(GREATEST_TRANSACTION_TIMEOUT) < 0
        ? allowed
        : GREATEST_TRANSACTION_TIMEOUT;
  }

  private static void createTopics(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    Set<String> present =
        admin.listTopics().names().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    List<NewTopic> absent = new ArrayList<>();
    absent.add(topic(Topics.DECISIONS, PARTITIONS, Duration.ofDays(7)));
    absent.add(topic(Topics.OUTCOMES, PARTITIONS, Duration.ofDays(7)));
    absent.add(topic(Topics.TRAINING, PARTITIONS, Duration.ofDays(14)));
    absent.add(topic(Topics.DEAD_LETTERS, DEAD_LETTER_PARTITIONS, Duration.ofDays(30)));
    absent.add(topic(Topics.EXPOSURES, PARTITIONS, Duration.ofDays(7)));
    absent.add(
        new NewTopic(Topics.ERASURES, Optional.of(1), Optional.empty())
            .configs(
                Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
    // One partition: whoever holds it in a consumer group decides about experiments.
    absent.add(
        new NewTopic(Topics.EXPERIMENT_METRICS, Optional.of(1), Optional.empty())
            .configs(
                Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
    absent.removeIf(topic -> present.contains(topic.name()));
    try {
      admin.createTopics(absent).all().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      // Somebody else may be starting too.
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private static NewTopic topic(String name, int partitions, Duration retention) {
    return new NewTopic(name, Optional.of(partitions), Optional.empty())
        .configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis())));
  }
}
