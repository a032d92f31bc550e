package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.event.Topics;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Decisions of ten kilobytes, the size of a request to a hosted ranking service, with their
 * outcomes: from Kafka through the whole job to Kafka, Redis and an archive, exactly once. They
 * wait in Kafka, so that the job goes as fast as it can.
 */
final class LargeEvents {

  private static final int PADDING_BYTES = 9_300;
  private static final int BLOCK = 400;
  private static final long STEP_MICROS = 4_000;
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final Duration POLL = Duration.ofMillis(200);

  private LargeEvents() {}

  /** Event time behind which transitions stay: window, gap, disorder, and some to spare. */
  private static final long HELD_BACK_MICROS = 48_000_000;

  /** Of those that come out: before that, the job is still getting under way. */
  private static final double FROM = 0.25;

  /**
   * What was seen.
   *
   * @param decisionBytes of one decision
   * @param seconds in which these came, all the while others were read
   * @param transitions that were counted
   */
  record Seen(int decisions, int decisionBytes, long transitions, double seconds) {
    double perSecond() {
      return transitions / seconds;
    }
  }

  static Seen measure(
      LocalCluster cluster,
      StreamsUnderTest system,
      int decisions,
      long seed,
      Clock clock,
      Path work,
      Consumer<String> progress)
      throws Exception {
    long span = decisions * STEP_MICROS;
    long start = clock.millis() * 1_000 - span - Duration.ofMinutes(3).toNanos() / 1_000;
    EventPlan plan = new EventPlan(decisions, BLOCK, STEP_MICROS, PADDING_BYTES, start, seed);
    progress.accept(
        "Writing %,d decisions of 10 KB and their outcomes to Kafka".formatted(decisions));
    int decisionBytes = produce(plan, system.kafka());
    progress.accept("Joining them");
    JobID job = cluster.start(LocalCluster.joinOf(plan, system, work));
    Seen seen = count(system.kafka(), decisions, decisionBytes);
    cluster.cancel(job);
    return seen;
  }

  private static Seen count(String kafka, int decisions, int decisionBytes) {
    long last = decisions - HELD_BACK_MICROS / STEP_MICROS;
    long first = Math.round(last * FROM);
    long began = 0;
    long firstCounted = 0;
    long seen = 0;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
      while (System.nanoTime() < deadline) {
        seen += consumer.poll(POLL).count();
        // They become visible with each checkpoint, many at once.
        if (began == 0 && seen >= first) {
          began = System.nanoTime();
          firstCounted = seen;
        }
        if (seen >= last) {
          double seconds = (System.nanoTime() - began) / 1e9;
          return new Seen(decisions, decisionBytes, seen - firstCounted, seconds);
        }
      }
    }
    throw new IllegalStateException(
        "%d of %d transitions after %s".formatted(seen, decisions, PATIENCE));
  }

  private static int produce(EventPlan plan, String kafka) {
    PlannedEvents events = new PlannedEvents(plan);
    int decisionBytes = 0;
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka,
            "acks",
            "1",
            "compression.type",
            "lz4",
            "linger.ms",
            20,
            "batch.size",
            1 << 18);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      long records = plan.records();
      for (long place = 0; place < records; place++) {
        Received record = events.at(place);
        byte[] value = record.value();
        if (value != null && record.topic().equals(Topics.DECISIONS)) {
          decisionBytes = value.length;
        }
        producer.send(
            new ProducerRecord<>(record.topic(), record.partition(), record.key(), value));
      }
      producer.flush();
    }
    return decisionBytes;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String kafka) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka, "isolation.level", "read_committed");
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    consumer
        .partitionsFor(Topics.TRAINING)
        .forEach(each -> partitions.add(new TopicPartition(each.topic(), each.partition())));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }
}
