package io.bellwether.ingestion.monitoring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Of one look at a partition that may hold nothing but markers. */
  private static final Duration LOOK = Duration.ofSeconds(2);

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
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1,
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

    Map<String, Long> behind = new TreeMap<>();
    Map<String, Long> blocked = new TreeMap<>();
    topics.forEach(topic -> behind.put(topic, 0L));
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata known = committed.get(partition);
      long start = earliest.getOrDefault(partition, 0L);
      long position = known == null ? start : Math.max(known.offset(), start);
      long end = stable.getOrDefault(partition, 0L);
      long records = position < end ? end - firstRecord(partition, position, end) : 0;
      behind.merge(partition.topic(), records, Long::sum);
      blocked.merge(
          partition.topic(), Math.max(0, written.getOrDefault(partition, 0L) - end), Long::sum);
    }
    return behind.entrySet().stream()
        .map(e -> new TopicLag(e.getKey(), e.getValue(), blocked.getOrDefault(e.getKey(), 0L)))
        .toList();
  }

  /** Offset of the first record from a position on; the end where there are only markers. */
  private long firstRecord(TopicPartition partition, long position, long end) {
    probe.assign(List.of(partition));
    probe.seek(partition, position);
    long deadline = System.nanoTime() + LOOK.toNanos();
    while (probe.position(partition) < end && System.nanoTime() < deadline) {
      ConsumerRecords<byte[], byte[]> records = probe.poll(Duration.ofMillis(200));
      for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
        return record.offset();
      }
    }
    return probe.position(partition);
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
