package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestKafka;
import io.bellwether.ingestion.event.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaEndsIT {

  private static TestKafka kafka;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    kafka = TestKafka.start(folder, Map.of("transaction.max.timeout.ms", "60000"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void aTransactionTimeoutAboveTheBrokersIsRefusedBeforeTheStartNamingBoth() {
    KafkaEnds ends = new KafkaEnds(kafka.bootstrap(), "test", Duration.ofHours(1));

    String message =
        String.valueOf(assertThrows(IllegalStateException.class, ends::prepare).getMessage());
    assertTrue(message.contains("transaction.timeout.ms of this job is 3600000"), message);
    assertTrue(message.contains("transaction.max.timeout.ms is 60000"), message);
  }

  @Test
  void topicsThatAreAbsentAreCreatedOnce() throws Exception {
    KafkaEnds ends = new KafkaEnds(kafka.bootstrap(), "test", Duration.ofSeconds(60));
    ends.prepare();
    ends.prepare();

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
      Set<String> names = admin.listTopics().names().get();
      assertTrue(
          names.containsAll(
              Set.of(Topics.DECISIONS, Topics.OUTCOMES, Topics.TRAINING, Topics.DEAD_LETTERS)));
      Map<String, TopicDescription> topics =
          admin.describeTopics(Set.of(Topics.OUTCOMES)).allTopicNames().get();
      topics.values().forEach(topic -> assertEquals(12, topic.partitions().size()));
    }
  }
}
