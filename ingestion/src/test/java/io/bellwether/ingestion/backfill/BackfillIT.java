package io.bellwether.ingestion.backfill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.TestKafka;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.monitoring.KafkaLag;
import io.bellwether.ingestion.monitoring.TopicLag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reads a Kafka whose topics end with markers and open transactions. */
class BackfillIT {

  private static final int DECISIONS = 100;
  private static final String GROUP = "a job that is caught up";

  @TempDir Path folder;

  @Test
  void aRangeIsJoinedOnceMoreAndNobodyElseNotices() throws Exception {
    try (TestKafka kafka = TestKafka.start(folder.resolve("kafka"))) {
      KafkaEnds.connect(kafka.bootstrap(), "test"); // Creates the topics.
      Instant from = Instant.now().minusSeconds(5);
      write(kafka, from);
      commitGroup(kafka);
      assertEquals(
          List.of(new TopicLag(Topics.DECISIONS, 0, 0), new TopicLag(Topics.OUTCOMES, 0, 0)),
          lag(kafka));
      try (KafkaProducer<byte[], byte[]> producer = producer(kafka, "still open")) {
        open(producer);
        assertEquals(
            List.of(new TopicLag(Topics.DECISIONS, 0, 0), new TopicLag(Topics.OUTCOMES, 0, 1_000)),
            lag(kafka));
        assertEquals(
            "outcomes: caught up, 1000 records blocked by open transaction",
            lag(kafka).get(1).words().replace(Topics.OUTCOMES, "outcomes"));
        Map<TopicPartition, Long> before = kafka(kafka);

        Path archive = folder.resolve("again");
        Backfill.run(
            new BackfillRequest(
                kafka.bootstrap(),
                () -> List.of(TestEvents.surface()),
                from,
                Instant.now().plusSeconds(1),
                archive,
                10_000));

        assertJoined(archive);
        assertEquals(before, kafka(kafka), "nothing was written");
        assertEquals(Set.of(GROUP), groups(kafka));
        producer.abortTransaction();
      }
    }
  }

  /** Five transactions in each topic, so that the last offset of a partition is a marker. */
  private static void write(TestKafka kafka, Instant from) {
    long micros = from.toEpochMilli() * 1000;
    try (KafkaProducer<byte[], byte[]> producer = producer(kafka, "decisions and outcomes")) {
      producer.initTransactions();
      for (int transaction = 0; transaction < 5; transaction++) {
        producer.beginTransaction();
        for (int i = transaction * 20; i < transaction * 20 + 20; i++) {
          Decision decision = TestEvents.decision("d" + i, "s" + i, micros + i);
          Outcome outcome =
              TestEvents.outcome("o" + i, "d" + i, "i2", "like", 1, micros + i + 500_000);
          var unusedOutcome =
              producer.send(
                  record(Topics.OUTCOMES, "d" + i, EventCodec.of(Outcome.class).encode(outcome)));
          var unusedDecision =
              producer.send(
                  record(
                      Topics.DECISIONS, "d" + i, EventCodec.of(Decision.class).encode(decision)));
        }
        producer.commitTransaction();
      }
    }
  }

  private static void open(KafkaProducer<byte[], byte[]> producer) {
    producer.initTransactions();
    producer.beginTransaction();
    for (int i = 0; i < 1_000; i++) {
      var unused = producer.send(record(Topics.OUTCOMES, "nobody", new byte[] {1}));
    }
    producer.flush();
  }

  /** As Flink does: after the last record, which is before the marker. */
  private static void commitGroup(TestKafka kafka) throws Exception {
    try (Admin admin = admin(kafka)) {
      Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
      ends(admin)
          .forEach(
              (partition, end) ->
                  positions.put(partition, new OffsetAndMetadata(Math.max(0, end - 1))));
      admin.alterConsumerGroupOffsets(GROUP, positions).all().get();
    }
  }

  private static List<TopicLag> lag(TestKafka kafka) throws Exception {
    try (KafkaLag lag =
        new KafkaLag(kafka.bootstrap(), GROUP, List.of(Topics.DECISIONS, Topics.OUTCOMES))) {
      return lag.measure();
    }
  }

  private static void assertJoined(Path archive) throws Exception {
    int count = 0;
    try (TransitionArchive.Transitions transitions = new TransitionArchive(archive).read("clips")) {
      while (transitions.hasNext()) {
        Transition transition = transitions.next();
        assertEquals(1, transition.getSignals().size(), transition.getDecision()::getDecisionId);
        count++;
      }
    }
    assertEquals(DECISIONS, count);
  }

  private static Map<TopicPartition, Long> kafka(TestKafka kafka) throws Exception {
    try (Admin admin = admin(kafka)) {
      Map<TopicPartition, Long> ends = ends(admin);
      assertTrue(ends.size() > 24);
      return ends;
    }
  }

  private static Set<String> groups(TestKafka kafka) throws Exception {
    try (Admin admin = admin(kafka)) {
      return Set.copyOf(
          admin.listGroups().all().get().stream().map(group -> group.groupId()).toList());
    }
  }

  private static Map<TopicPartition, Long> ends(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    admin
        .describeTopics(
            List.of(
                Topics.DECISIONS,
                Topics.OUTCOMES,
                Topics.EXPOSURES,
                Topics.TRAINING,
                Topics.DEAD_LETTERS,
                Topics.EXPERIMENT_METRICS))
        .allTopicNames()
        .get()
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(
                        p ->
                            asked.put(
                                new TopicPartition(topic, p.partition()), OffsetSpec.latest())));
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin.listOffsets(asked).all().get().forEach((p, info) -> ends.put(p, info.offset()));
    return ends;
  }

  private static Admin admin(TestKafka kafka) {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
  }

  private static KafkaProducer<byte[], byte[]> producer(TestKafka kafka, String id) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrap(), "transactional.id", id),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, byte[] value) {
    return new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
