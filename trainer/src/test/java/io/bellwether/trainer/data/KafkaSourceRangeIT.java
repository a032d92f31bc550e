package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaSourceRangeIT {

  private static final Duration SECONDS = Duration.ofSeconds(60);
  private static final int TRANSACTIONS = 5;
  private static final int RECORDS = 20;

  @TempDir private static Path folder;
  private static TestBroker broker;

  @BeforeAll
  static void fillTopic() throws Exception {
    broker = TestBroker.start(folder.resolve("kafka"));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin.createTopics(List.of(new NewTopic(Topics.TRAINING, 2, (short) 1))).all().get();
    }
    SyntheticLog log = new SyntheticLog();
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "test"),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      for (int transaction = 0; transaction <= TRANSACTIONS; transaction++) {
        producer.beginTransaction();
        for (int i = 0; i < RECORDS; i++) {
          Transition transition = log.transition(transaction * RECORDS + i);
          producer
              .send(
                  new ProducerRecord<>(
                      Topics.TRAINING,
                      transition.getDecision().getDecisionId(),
                      codec.encode(transition)))
              .get();
        }
        if (transaction < TRANSACTIONS) {
          producer.commitTransaction();
        } else {
          producer.flush();
          producer.abortTransaction();
        }
      }
    }
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void whatIsCommittedIsReadAndReadingEndsThoughTheLastOffsetIsNoRecord() {
    List<String> ids = new ArrayList<>();
    assertTimeoutPreemptively(
        SECONDS,
        () ->
            KafkaSourceRange.untilNow(broker.bootstrap())
                .forEach(transition -> ids.add(transition.getDecision().getDecisionId())));
    assertEquals(TRANSACTIONS * RECORDS, ids.stream().distinct().count());
    assertEquals(TRANSACTIONS * RECORDS, ids.size());
  }

  /** The last one: nobody is brought back. */
  @Test
  @Order(Integer.MAX_VALUE)
  void subjectsThatAreErasedByNowAreLeftOut() throws Exception {
    KafkaSourceRange range = KafkaSourceRange.untilNow(broker.bootstrap());
    List<Transition> before = new ArrayList<>();
    range.forEach(before::add);
    String subject = before.get(0).getDecision().getSubjectId();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()),
                new StringSerializer(),
                new ByteArraySerializer())) {
      admin.createTopics(List.of(new NewTopic(Topics.ERASURES, 1, (short) 1))).all().get();
      Erasure erasure =
          new Erasure(Erasure.hash(subject), "01KB9ZK8W1N8Q3V5T7X9Y2Z4A6", 9_000_000_000_000_000L);
      producer.send(new ProducerRecord<>(Topics.ERASURES, erasure.key(), erasure.value())).get();
    }
    List<Transition> after = new ArrayList<>();
    range.forEach(after::add);
    before.removeIf(transition -> transition.getDecision().getSubjectId().equals(subject));
    assertEquals(before, after);
    assertFalse(after.isEmpty());
  }

  @Test
  void partsHaveAllBetweenThemAndAreReadInTheSameOrderAgain() throws IOException {
    List<TransitionPart> parts = KafkaSourceRange.untilNow(broker.bootstrap()).parts();
    List<String> ids = new ArrayList<>();
    for (TransitionPart part : parts) {
      List<String> once = ids(part);
      assertFalse(once.isEmpty());
      assertTrue(once.size() <= part.transitions());
      assertEquals(once, ids(part));
      ids.addAll(once);
    }
    assertEquals(2, parts.size());
    assertEquals(TRANSACTIONS * RECORDS, ids.size());
    assertEquals(TRANSACTIONS * RECORDS, ids.stream().distinct().count());
  }

  private static List<String> ids(TransitionPart part) {
    return assertTimeoutPreemptively(
        SECONDS,
        () -> {
          List<String> ids = new ArrayList<>();
          part.forEach(transition -> ids.add(transition.getDecision().getDecisionId()));
          return ids;
        });
  }

  @Test
  void partsOfAnotherTopicHaveOtherWordsThoughTheOffsetsAreTheSame() throws Exception {
    KafkaSourceRange one = new KafkaSourceRange(broker.bootstrap(), Map.of(0, 0L), Map.of(0, 1L));
    assertEquals(words(one), words(one));
    try (TestBroker other = TestBroker.start(folder.resolve("other"));
        Admin admin = Admin.create(Map.of("bootstrap.servers", other.bootstrap()));
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", other.bootstrap()),
                new StringSerializer(),
                new ByteArraySerializer())) {
      admin.createTopics(List.of(new NewTopic(Topics.TRAINING, 1, (short) 1))).all().get();
      producer.send(new ProducerRecord<>(Topics.TRAINING, new byte[1])).get();
      KafkaSourceRange same = new KafkaSourceRange(other.bootstrap(), one.from(), one.to());
      assertNotEquals(words(one), words(same));
    }
  }

  private static List<String> words(KafkaSourceRange range) throws IOException {
    return range.parts().stream().map(TransitionPart::words).toList();
  }

  @Test
  void flinkReadsTheSameAndEnds() {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    // Hadoop's login code does not start on Java 25.
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    int count =
        assertTimeoutPreemptively(
            SECONDS.multipliedBy(2),
            () -> {
              try (StreamExecutionEnvironment environment =
                      StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
                  CloseableIterator<Transition> found =
                      environment
                          .fromSource(
                              KafkaSourceRange.untilNow(broker.bootstrap()).forFlink(),
                              WatermarkStrategy.noWatermarks(),
                              "transitions",
                              new AvroTypeInfo<>(Transition.class))
                          .executeAndCollect()) {
                int read = 0;
                while (found.hasNext()) {
                  found.next();
                  read++;
                }
                return read;
              }
            });
    assertEquals(TRANSACTIONS * RECORDS, count);
  }

  @Test
  void aTopicThatIsNotThereIsSaidSo() throws Exception {
    try (TestBroker other = TestBroker.start(folder.resolve("empty"))) {
      IOException failure =
          assertThrows(IOException.class, () -> KafkaSourceRange.untilNow(other.bootstrap()));
      assertTrue(String.valueOf(failure.getMessage()).contains("has no topic"), failure::toString);
    }
  }
}
