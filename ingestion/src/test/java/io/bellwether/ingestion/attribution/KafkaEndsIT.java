package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestKafka;
import io.bellwether.ingestion.event.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaEndsIT {

  private @TempDir Path folder;

  @Test
  void aBrokerThatGivesTransactionsUpTooSoonIsRefusedBeforeTheStart() throws Exception {
    try (TestKafka kafka = kafkaWith("60000")) {
      String message =
          String.valueOf(
              assertThrows(
                      IllegalStateException.class,
                      () -> KafkaEnds.connect(kafka.bootstrap(), "test"))
                  .getMessage());

      assertTrue(message.contains("transaction.max.timeout.ms of the broker is 60000"), message);
      assertTrue(message.contains("at least 300000"), message);
    }
  }

  @Test
  void aTransactionMayStayOpenForAsLongAsTheBrokerAllows() throws Exception {
    try (TestKafka kafka = kafkaWith("3600000")) {
      assertEquals(
          Duration.ofHours(1), KafkaEnds.connect(kafka.bootstrap(), "test").transactionTimeout());
    }
  }

  @Test
  void topicsThatAreAbsentAreCreatedOnce() throws Exception {
    try (TestKafka kafka = TestKafka.start(folder)) {
      KafkaEnds.connect(kafka.bootstrap(), "test");
      KafkaEnds.connect(kafka.bootstrap(), "test");

      assertTopics(kafka);
    }
  }

  private TestKafka kafkaWith(String transactionMaxTimeoutMillis) throws Exception {
    return TestKafka.start(
        folder, Map.of("transaction.max.timeout.ms", transactionMaxTimeoutMillis));
  }

  private static void assertTopics(TestKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      Set<String> names = admin.listTopics().names().get();
      assertTrue(
          names.containsAll(
              Set.of(
                  Topics.DECISIONS,
                  Topics.OUTCOMES,
                  Topics.TRAINING,
                  Topics.EXPOSURES,
                  Topics.DEAD_LETTERS)));
      assertEquals(
          1,
          Objects.requireNonNull(
                  admin
                      .describeTopics(Set.of(Topics.EXPERIMENT_METRICS))
                      .allTopicNames()
                      .get()
                      .get(Topics.EXPERIMENT_METRICS))
              .partitions()
              .size());
      Map<String, TopicDescription> topics =
          admin.describeTopics(Set.of(Topics.OUTCOMES)).allTopicNames().get();
      topics.values().forEach(topic -> assertEquals(12, topic.partitions().size()));
      ConfigResource deadLetters =
          new ConfigResource(ConfigResource.Type.TOPIC, Topics.DEAD_LETTERS);
      Config kept =
          Objects.requireNonNull(
              admin.describeConfigs(Set.of(deadLetters)).all().get().get(deadLetters));
      assertEquals(
          Duration.ofDays(30).toMillis(),
          Long.parseLong(Objects.requireNonNull(kept.get("retention.ms")).value()));
    }
  }
}
