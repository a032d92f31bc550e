package io.bellwether.loadtest.chaos;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What the streams have committed, from the beginning on: the latest revision of each decision's
 * transition, and what was refused. Confined to one thread.
 */
final class JoinedLedger implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  private final EventCodec<Transition> codec = EventCodec.of(Transition.class);
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, Joined> transitions = new HashMap<>();
  private long doubled;
  private long deadLetters;

  /**
   * A decision as training sees it.
   *
   * @param outcomes distinct ones, inside their window or not
   */
  record Joined(int revision, int outcomes, List<String> slate) {}

  JoinedLedger(String bootstrap) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", "false");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        List.of(Topics.TRAINING, Topics.DEAD_LETTERS).stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Takes in what has been committed since the last call; waits a little when there is nothing. */
  void poll() throws UndecodableEventException {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (record.topic().equals(Topics.DEAD_LETTERS)) {
        deadLetters++;
      } else {
        add(codec.decode(record.value()));
      }
    }
  }

  private void add(Transition transition) {
    Joined now =
        new Joined(
            transition.getRevision(),
            transition.getOutcomeCount() + transition.getOutsideWindow(),
            transition.getDecision().getSlate().stream().map(Placement::getItemId).toList());
    String id = transition.getDecision().getDecisionId();
    Joined before = transitions.get(id);
    if (before != null && before.revision == now.revision) {
      doubled++;
    }
    if (before == null || now.revision > before.revision) {
      transitions.put(id, now);
    }
  }

  Map<String, Joined> transitions() {
    return transitions;
  }

  /** Revisions that were committed more than once. */
  long doubled() {
    return doubled;
  }

  long deadLetters() {
    return deadLetters;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
