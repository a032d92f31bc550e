package io.bellwether.ingestion.monitoring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The lag of a consumer group that reads committed records, as of its committed positions.
 *
 * <p>Not the difference of two offsets: what a transaction leaves at a partition's end is a marker,
 * which no reader ever gets, and what follows an open transaction cannot be read yet. So where a
 * position is before the last stable offset, this looks whether a record is in between. Confined to
 * one thread.
 */
public final class KafkaLag implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Of one look at partitions that may hold nothing but markers. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(100);

  private final String group;
  private final TreeSet<String> topics;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> probe;

  /**
   * Connects when it is first asked.
   *
   * @param bootstrap {@code host:port}, several separated by commas
   * @param group whose positions count
   */
  public KafkaLag(String bootstrap, String group, List<String> topics) {
    this.group = group;
    this.topics = new TreeSet<>(topics);
    this.admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) PATIENCE.toMillis(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                (int) PATIENCE.toMillis() / 2));
    this.probe =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                1024),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  /**
   * Measures now.
   *
   * @return one for each topic, by name
   * @throws IllegalStateException when Kafka does not answer
   */
  public List<TopicLag> measure() throws InterruptedException {
    try {
      return lags();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka does not tell the lag: " + e, e);
    }
  }

  private List<TopicLag> lags() throws InterruptedException, ExecutionException, TimeoutException {
    List<TopicPartition> partitions = new ArrayList<>();
    await(admin.describeTopics(topics).allTopicNames())
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    Map<TopicPartition, Long> earliest =
        offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, Long> stable =
        offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> written =
        offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, OffsetAndMetadata> committed =
        await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());

    Map<TopicPartition, Long> positions = new HashMap<>();
    Map<String, Long> behind = new TreeMap<>();
    Map<String, Long> blocked = new TreeMap<>();
    topics.forEach(topic -> behind.put(topic, 0L));
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata known = committed.get(partition);
      long start = earliest.getOrDefault(partition, 0L);
      long position = known == null ? start : Math.max(known.offset(), start);
      long end = stable.getOrDefault(partition, 0L);
      if (position < end) {
        positions.put(partition, position);
      }
      blocked.merge(
          partition.topic(), Math.max(0, written.getOrDefault(partition, 0L) - end), Long::sum);
    }
    firstRecords(positions, stable)
        .forEach(
            (partition, first) ->
                behind.merge(
                    partition.topic(), stable.getOrDefault(partition, first) - first, Long::sum));
    return behind.entrySet().stream()
        .map(e -> new TopicLag(e.getKey(), e.getValue(), blocked.getOrDefault(e.getKey(), 0L)))
        .toList();
  }

  /**
   * Offset of each partition's first record from a position on; none where there are markers only.
   */
  private Map<TopicPartition, Long> firstRecords(
      Map<TopicPartition, Long> positions, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> first = new HashMap<>();
    Set<TopicPartition> open = new HashSet<>(positions.keySet());
    probe.assign(open);
    positions.forEach(probe::seek);
    long deadline = System.nanoTime() + LOOK.toNanos();
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      ConsumerRecords<byte[], byte[]> records = probe.poll(POLL);
      for (TopicPartition partition : Set.copyOf(open)) {
        List<ConsumerRecord<byte[], byte[]>> found = records.records(partition);
        if (!found.isEmpty()) {
          first.put(partition, found.get(0).offset());
        }
        if (!found.isEmpty() || probe.position(partition) >= ends.getOrDefault(partition, 0L)) {
          open.remove(partition);
        }
      }
      probe.assign(open);
    }
    // What could not be looked at in time counts as records.
    open.forEach(partition -> first.put(partition, probe.position(partition)));
    return first;
  }

  private Map<TopicPartition, Long> offsets(
      List<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, spec));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        await(admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    found.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  private static <T> T await(KafkaFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    probe.close();
    admin.close(Duration.ofSeconds(1));
  }
}
