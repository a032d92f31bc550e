package io.bellwether.ingestion.backfill;

import io.bellwether.ingestion.event.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records of each partition are read: fixed before the first one is, so that a reading ends
 * whatever is written meanwhile. It ends before an open transaction, which it could not read.
 *
 * @param from first offsets
 * @param until offsets after the last ones
 */
record OffsetRange(Map<TopicPartition, Long> from, Map<TopicPartition, Long> until) {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * Asks Kafka.
   *
   * @param to before which decisions were written
   * @param outcomesFor how much longer outcomes are read, as they come after their decision
   */
  static OffsetRange of(String kafka, Instant from, Instant to, Duration outcomesFor)
      throws InterruptedException {
    Map<String, Object> configuration =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            (int) PATIENCE.toMillis());
    try (Admin admin = Admin.create(configuration)) {
      Map<TopicPartition, OffsetSpec> begins = new HashMap<>();
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      admin
          .describeTopics(Set.of(Topics.DECISIONS, Topics.OUTCOMES))
          .allTopicNames()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .forEach(
              (topic, description) ->
                  description
                      .partitions()
                      .forEach(
                          info -> {
                            TopicPartition partition = new TopicPartition(topic, info.partition());
                            Instant end = topic.equals(Topics.OUTCOMES) ? to.plus(outcomesFor) : to;
                            begins.put(partition, OffsetSpec.forTimestamp(from.toEpochMilli()));
                            ends.put(partition, OffsetSpec.forTimestamp(end.toEpochMilli()));
                            latest.put(partition, OffsetSpec.latest());
                          }));
      Map<TopicPartition, Long> readable = offsets(admin, latest);
      return new OffsetRange(
          atMost(offsets(admin, begins), readable), atMost(offsets(admin, ends), readable));
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka at " + kafka + " does not answer: " + e, e);
    }
  }

  /** Where no record is that late, Kafka says -1. */
  private static Map<TopicPartition, Long> atMost(
      Map<TopicPartition, Long> offsets, Map<TopicPartition, Long> readable) {
    Map<TopicPartition, Long> bounded = new HashMap<>();
    readable.forEach(
        (partition, end) -> {
          long offset = offsets.getOrDefault(partition, -1L);
          bounded.put(partition, offset < 0 ? end : Math.min(offset, end));
        });
    return bounded;
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, Map<TopicPartition, OffsetSpec> asked)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }
}
