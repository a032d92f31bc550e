package io.bellwether.infra.demo;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What serving said of exposures, and what the streams counted of them, as both stand in Kafka. */
final class CountedNumbers {
  private static final Duration POLL = Duration.ofMillis(300);

  private final EventCodec<VariantNumbers> numbers = EventCodec.of(VariantNumbers.class);
  private final EventCodec<Exposure> exposures = EventCodec.of(Exposure.class);
  private final EventCodec<Transition> transitions = EventCodec.of(Transition.class);
  private final String kafka;
  private final Map<String, VariantNumbers> latest = new HashMap<>();
  private final Set<String> exposed = new HashSet<>();

  CountedNumbers(String kafka) {
    this.kafka = kafka;
  }

  /** Reads both topics anew from their beginnings. */
  void read() throws Exception {
    latest.clear();
    exposed.clear();
    readAll(
        Topics.EXPERIMENT_METRICS,
        (key, value) -> {
          try {
            latest.put(key, numbers.decode(value));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    readAll(
        Topics.EXPOSURES,
        (key, value) -> {
          try {
            exposed.add(exposures.decode(value).getDecisionId());
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /**
   * The sum of a signal over all transitions, in the latest revision of each: what happened inside
   * the signal's window.
   */
  double happened(String signal) throws Exception {
    Map<String, Transition> newest = new HashMap<>();
    readAll(
        Topics.TRAINING,
        (key, value) -> {
          try {
            Transition transition = transitions.decode(value);
            newest.merge(
                transition.getDecision().getDecisionId(),
                transition,
                (one, other) -> one.getRevision() > other.getRevision() ? one : other);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    return newest.values().stream()
        .flatMap(transition -> transition.getSignals().stream())
        .filter(value -> value.getSignal().equals(signal))
        .mapToDouble(SignalValue::getValue)
        .sum();
  }

  /** Distinct decisions of which serving said that somebody was exposed. */
  long exposed() {
    return exposed.size();
  }

  /** Exposures that were counted. */
  long counted() {
    return latest.values().stream().mapToLong(VariantNumbers::getExposures).sum();
  }

  /** The sum of a column over all units. */
  double sum(String column) {
    return latest.values().stream()
        .mapToDouble(each -> each.getSums().get(each.getColumns().indexOf(column)))
        .sum();
  }

  private void readAll(String topic, BiConsumer<String, byte[]> taker) {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          taker.accept(record.key(), record.value());
        }
      }
    }
  }
}
