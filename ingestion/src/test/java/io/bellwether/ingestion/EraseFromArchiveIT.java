package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.archive.ArchiveErasure;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.erasure.ErasureFeed;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the topic of erasures to the archive and back, with a real Kafka. */
class EraseFromArchiveIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SURFACE = TestEvents.surface().name();

  private @TempDir Path folder;

  @Test
  void anErasureClearsTheArchiveAndSaysSoOnce() throws Exception {
    long now = Clock.systemUTC().millis() * 1000;
    Path archive = folder.resolve("archive");
    write(archive, "live", row("d1", "anna", now - 9), row("d2", "anna", now - 8));
    write(archive, "more", row("d3", "bo", now - 7), row("d4", "anna", now + 7_000_000));
    Erasure erasure = new Erasure(Erasure.hash("anna"), "01KB9ZK8W1N8Q3V5T7X9Y2Z4A6", now);
    try (TestKafka kafka = TestKafka.start(folder.resolve("kafka"))) {
      KafkaEnds.connect(kafka.bootstrap(), "test");
      tell(kafka, erasure);
      try (ErasureFeed feed = new ErasureTopic(kafka.bootstrap()).get()) {
        assertTrue(feed.subjects().covers("anna", now), "known as soon as it is open");
      }
      Erasure.Archived first = cleared(kafka, archive, erasure);
      assertEquals(new Erasure.Archived(1, 2, now + 5_000_000), first);
      assertEquals(List.of("d3", "d4"), ids(archive));
      // What comes in by another way is left out by whoever reads.
      write(archive, "late", row("d5", "anna", now - 6), row("d6", "bo", now - 5));
      assertEquals(List.of("d3", "d4", "d6"), ids(archive));
      assertEquals(first, cleared(kafka, archive, erasure), "done once");
    }
  }

  private Erasure.Archived cleared(TestKafka kafka, Path archive, Erasure erasure)
      throws Exception {
    EraseFromArchive.Waits waits = new EraseFromArchive.Waits(Duration.ZERO, Duration.ofSeconds(5));
    try (EraseFromArchive worker =
        new EraseFromArchive(
            kafka.bootstrap(),
            archive,
            gone -> ArchiveErasure.erase(archive, gone).filesRewritten(),
            waits,
            Clock.systemUTC())) {
      worker.start();
      return archived(kafka, Erasure.Archived.key(erasure));
    }
  }

  private static Erasure.Archived archived(TestKafka kafka, String key) {
    List<TopicPartition> one = List.of(new TopicPartition(Topics.ERASURES, 0));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(one);
      consumer.seekToBeginning(one);
      while (true) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          if (key.equals(record.key())) {
            return Erasure.Archived.read(record.value()).orElseThrow();
          }
        }
        assertTrue(System.nanoTime() < deadline, "nothing within " + PATIENCE);
      }
    }
  }

  private static void tell(TestKafka kafka, Erasure erasure) throws Exception {
    try (Producer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrap()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(Topics.ERASURES, erasure.key(), erasure.value())).get();
    }
  }

  private static List<String> ids(Path archive) {
    List<String> ids = new ArrayList<>();
    try (var rows = new TransitionArchive(archive).read(SURFACE)) {
      rows.forEachRemaining(row -> ids.add(row.getDecision().getDecisionId()));
    }
    return ids.stream().sorted().toList();
  }

  private static void write(Path archive, String name, Transition... rows) throws Exception {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(archive, name)) {
      for (Transition row : rows) {
        writer.write(row);
      }
    }
  }

  private static Transition row(String id, String subject, long decidedAtMicros) {
    return Transition.newBuilder()
        .setDecision(TestEvents.decision(id, subject, decidedAtMicros))
        .setSignals(List.of())
        .setOutcomeCount(0)
        .setSessionId(id)
        .setStep(0)
        .setTerminated(false)
        .setTruncated(true)
        .setJoinedAtMicros(decidedAtMicros)
        .build();
  }
}
