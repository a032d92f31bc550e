package io.bellwether.infra.demo;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the streams have committed for some decisions: transitions by distinct decision,
 * outcomes by each decision's highest revision, and dead letters. Confined to one thread.
 */
public final class JoinedTally implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JoinedTally.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final EventCodec<Transition> codec = EventCodec.of(Transition.class);
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Predicate<String> ours;
  private final Map<String, Latest> transitions = new HashMap<>();
  private long outcomes;
  private long sameRevisionTwice;
  private long deadLetters;

  private record Latest(int revision, int outcomes) {}

  /**
   * Counts from now on.
   *
   * @param ours which decision ids count
   */
  public JoinedTally(String bootstrap, Predicate<String> ours) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.ours = ours;
    List<TopicPartition> partitions =
        List.of(Topics.TRAINING, Topics.DEAD_LETTERS).stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  /** Takes in what has been committed since the last call; waits a little when there is nothing. */
  public void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (record.topic().equals(Topics.DEAD_LETTERS)) {
        deadLetters++;
        LOG.warn(
            "Dead letter {} with key {}: {}, {}",
            deadLetters,
            text(record.key()),
            text(record.headers().lastHeader("x-error")),
            text(record.headers().lastHeader("x-detail")));
      } else {
        add(record);
      }
    }
  }

  private static String text(@Nullable Header header) {
    return header == null ? "" : text(header.value());
  }

  private static String text(byte @Nullable [] utf8) {
    return utf8 == null ? "" : new String(utf8, StandardCharsets.UTF_8);
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    try {
      Transition transition = codec.decode(record.value());
      String decisionId = transition.getDecision().getDecisionId();
      if (ours.test(decisionId)) {
        add(decisionId, transition);
      }
    } catch (UndecodableEventException e) {
      LOG.warn("Record {} of {} is no transition", record.offset(), record.topic(), e);
    }
  }

  private void add(String decisionId, Transition transition) {
    Latest now =
        new Latest(
            transition.getRevision(), transition.getOutcomeCount() + transition.getOutsideWindow());
    Latest before = transitions.get(decisionId);
    if (before != null && before.revision == now.revision) {
      sameRevisionTwice++;
    }
    if (before == null || now.revision > before.revision) {
      transitions.put(decisionId, now);
      outcomes += now.outcomes - (before == null ? 0 : before.outcomes);
    }
  }

  /** Decisions that have a transition. */
  public long transitions() {
    return transitions.size();
  }

  /** Outcomes in those transitions, whether inside their window or not. */
  public long outcomes() {
    return outcomes;
  }

  /** Revisions that were committed more than once; anything but 0 breaks exactly once. */
  public long sameRevisionTwice() {
    return sameRevisionTwice;
  }

  /** Dead letters of any decision. */
  public long deadLetters() {
    return deadLetters;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
