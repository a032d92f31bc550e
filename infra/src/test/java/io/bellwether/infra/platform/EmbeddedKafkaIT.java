package io.bellwether.infra.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One broker for all tests of the class; the last one restarts it. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class EmbeddedKafkaIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Path folder;
  private EmbeddedKafka kafka;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    this.folder = folder;
    kafka = startKafka();
    EmbeddedTopics.createMissing(kafka.bootstrap(), EmbeddedTopics.all());
  }

  @AfterAll
  void stop() {
    kafka.close();
  }

  private EmbeddedKafka startKafka() throws Exception {
    return EmbeddedKafka.start(
        folder.resolve("kafka"), KeptPorts.in(folder.resolve("ports.properties")));
  }

  @Test
  @Order(1)
  void theTopicsOfTheEventContractExistWithTheirPartitions() throws Exception {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      for (Topic topic : EmbeddedTopics.all()) {
        assertEquals(topic.partitions(), partitions(consumer, topic.name()).size(), topic.name());
      }
    }
  }

  @Test
  @Order(1)
  void creatingTopicsAgainChangesNothing() throws Exception {
    EmbeddedTopics.createMissing(kafka.bootstrap(), EmbeddedTopics.all());
    theTopicsOfTheEventContractExistWithTheirPartitions();
  }

  @Test
  @Order(2)
  void whatIsProducedIsConsumed() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      for (int i = 0; i < 100; i++) {
        send(producer, "bellwether.outcomes.v1", "key-" + i, "value-" + i);
      }
    }
    assertEquals(values("value-", 100), read("bellwether.outcomes.v1", 100));
  }

  @Test
  @Order(3)
  void readersOfCommittedRecordsSeeNoAbortedTransaction() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "test"))) {
      producer.initTransactions();
      transaction(producer, "aborted-", false);
      transaction(producer, "committed-", true);
    }
    assertEquals(values("committed-", 10), read("bellwether.training.v1", 10));
  }

  @Test
  @Order(4)
  void recordsOfThePastAreKeptByTheTimeOfTheirArrival() throws Exception {
    Instant before = Instant.now().minusSeconds(60);
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      long lastYear = before.minus(Duration.ofDays(400)).toEpochMilli();
      producer
          .send(new ProducerRecord<>("bellwether.decisions.v1", null, lastYear, null, bytes("old")))
          .get();
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      ConsumerRecord<byte[], byte[]> record =
          records(consumer, "bellwether.decisions.v1", 1).get(0);
      assertTrue(record.timestamp() > before.toEpochMilli());
    }
  }

  @Test
  @Order(5)
  void aRestartOnTheSameFolderKeepsDataAndAddress() throws Exception {
    String address = kafka.bootstrap();
    kafka.close();
    kafka = startKafka();
    assertEquals(address, kafka.bootstrap());
    assertEquals(values("value-", 100), read("bellwether.outcomes.v1", 100));
    assertEquals(values("committed-", 10), read("bellwether.training.v1", 10));
  }

  private static void transaction(
      KafkaProducer<byte[], byte[]> producer, String prefix, boolean commit) throws Exception {
    producer.beginTransaction();
    for (int i = 0; i < 10; i++) {
      send(producer, "bellwether.training.v1", prefix + i, prefix + i);
    }
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, String key, String value)
      throws Exception {
    producer.send(new ProducerRecord<>(topic, bytes(key), bytes(value))).get();
  }

  private List<String> read(String topic, int count) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return records(consumer, topic, count).stream()
          .map(record -> new String(record.value(), StandardCharsets.UTF_8))
          .sorted()
          .toList();
    }
  }

  /** Reads to the end of the topic as it is now. */
  private static List<ConsumerRecord<byte[], byte[]>> records(
      KafkaConsumer<byte[], byte[]> consumer, String topic, int atLeast) {
    List<TopicPartition> partitions = partitions(consumer, topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    Instant deadline = Instant.now().plus(PATIENCE);
    while (records.size() < atLeast
        || partitions.stream()
            .anyMatch(part -> consumer.position(part) < ends.getOrDefault(part, 0L))) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError(topic + " gave only " + records.size() + " records");
      }
      consumer.poll(Duration.ofMillis(200)).forEach(records::add);
    }
    return records;
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<PartitionInfo> infos = consumer.partitionsFor(topic);
    return infos.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
  }

  private static List<String> values(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).sorted().toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrap());
    settings.put("linger.ms", "0");
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
