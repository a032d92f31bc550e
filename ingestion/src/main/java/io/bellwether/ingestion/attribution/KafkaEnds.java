package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
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
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * The ends of the job that are in Kafka. Immutable.
 *
 * @param bootstrap {@code host:port}, several separated by commas
 * @param job tells this job's consumer group and transactions from those of others
 * @param transactionTimeout after which the broker gives up a transaction of ours: longer than any
 *     restart, since what was written in it is lost with it
 */
public record KafkaEnds(String bootstrap, String job, Duration transactionTimeout) {

  private static final int PARTITIONS = 12;
  private static final int DEAD_LETTER_PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String BROKER_TIMEOUT = "transaction.max.timeout.ms";

  /** Below the 15 minutes that a broker allows unless told otherwise. */
  public static final Duration DEFAULT_TRANSACTION_TIMEOUT = Duration.ofMinutes(10);

  /**
   * Creates the topics that are absent, and checks that the broker allows what the job will ask
   * for: at its start that is one clear message, later it would be a restart loop.
   *
   * @throws IllegalStateException when it does not, naming the settings
   */
  public void prepare() throws InterruptedException {
    Map<String, Object> configuration =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            (int) PATIENCE.toMillis());
    try (Admin admin = Admin.create(configuration)) {
      checkTransactionTimeout(admin);
      createTopics(admin);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka at " + bootstrap + " does not answer: " + e, e);
    }
  }

  /** Decisions and outcomes; from the beginning where no checkpoint says otherwise. */
  public Source<Received, ?, ?> records() {
    return KafkaSource.<Received>builder()
        .setBootstrapServers(bootstrap)
        .setGroupId(job)
        .setTopics(Topics.DECISIONS, Topics.OUTCOMES)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setProperty("partition.discovery.interval.ms", "60000")
        // Bounds what one fetch brings: 24 partitions at once must fit a small heap.
        .setProperty("max.partition.fetch.bytes", "262144")
        .setProperty("fetch.max.bytes", "4194304")
        .setDeserializer(new ReadRecords())
        .build();
  }

  /** Transitions, exactly once. */
  public Sink<Transition> transitions() {
    return exactlyOnce("transitions", new WriteTransitions());
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

  private void checkTransactionTimeout(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    String broker =
        Integer.toString(
            admin.describeCluster().nodes().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).stream()
                .findAny()
                .orElseThrow(() -> new IllegalStateException("no broker at " + bootstrap))
                .id());
    ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker);
    Config settings =
        Objects.requireNonNull(
            admin
                .describeConfigs(Set.of(resource))
                .all()
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .get(resource));
    long allowed =
        Optional.ofNullable(settings.get(BROKER_TIMEOUT))
            .map(e -> Long.parseLong(e.value()))
            .orElse(Long.MAX_VALUE);
    if (transactionTimeout.toMillis() > allowed) {
      throw new IllegalStateException(
          "transaction.timeout.ms of this job is "
              + transactionTimeout.toMillis()
              + ", but the broker's "
              + BROKER_TIMEOUT
              + " is "
              + allowed
              + ": lower the one or raise the other");
    }
  }

  private static void createTopics(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    Set<String> present =
        admin.listTopics().names().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    List<NewTopic> absent = new ArrayList<>();
    for (String topic : List.of(Topics.DECISIONS, Topics.OUTCOMES, Topics.TRAINING)) {
      absent.add(topic(topic, PARTITIONS));
    }
    absent.add(topic(Topics.DEAD_LETTERS, DEAD_LETTER_PARTITIONS));
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

  private static NewTopic topic(String name, int partitions) {
    return new NewTopic(name, Optional.of(partitions), Optional.empty());
  }
}
