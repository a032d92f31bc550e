package io.bellwether.trainer.data;

import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The transitions of {@link Topics#TRAINING} between two sets of offsets; only what was committed,
 * and nothing of subjects that are erased by now.
 *
 * <p>The end is fixed once and reading stops when a partition's position reaches it. The last
 * offset of a transactional topic is a commit marker and never a record, so that a reader that
 * waits for the last record would wait for ever.
 *
 * @param bootstrapServers of the cluster
 * @param from first offset per partition
 * @param to one past the last offset per partition; the same partitions
 */
public record KafkaSourceRange(
    String bootstrapServers, Map<Integer, Long> from, Map<Integer, Long> to)
    implements TransitionSource {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  public KafkaSourceRange {
    from = Map.copyOf(from);
    to = Map.copyOf(to);
    if (!from.keySet().equals(to.keySet())) {
      throw new IllegalArgumentException(
          "offsets from are of partitions " + from.keySet() + ", offsets to of " + to.keySet());
    }
  }

  /**
   * Everything that is committed now.
   *
   * @throws IOException when the cluster cannot be reached or has no such topic
   */
  public static KafkaSourceRange untilNow(String bootstrapServers) throws IOException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.TRAINING, PATIENCE).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw new IOException(bootstrapServers + " has no topic " + Topics.TRAINING);
      }
      return new KafkaSourceRange(
          bootstrapServers,
          byNumber(consumer.beginningOffsets(partitions, PATIENCE)),
          byNumber(consumer.endOffsets(partitions, PATIENCE)));
    } catch (KafkaException e) {
      throw new IOException("cannot read the offsets of " + Topics.TRAINING, e);
    }
  }

  @Override
  public Source<Transition, ?, ?> forFlink() {
    Map<TopicPartition, Long> start = new HashMap<>();
    from.forEach((partition, offset) -> start.put(partition(partition), offset));
    Map<TopicPartition, Long> end = new HashMap<>();
    to.forEach((partition, offset) -> end.put(partition(partition), offset));
    return KafkaSource.<Transition>builder()
        .setBootstrapServers(bootstrapServers)
        .setPartitions(new HashSet<>(start.keySet()))
        .setStartingOffsets(OffsetsInitializer.offsets(start))
        .setBounded(OffsetsInitializer.offsets(end))
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .setValueOnlyDeserializer(new TransitionDeserializer(new ErasureTopic(bootstrapServers)))
        .build();
  }

  @Override
  public List<TransitionPart> parts() throws IOException {
    String topicId = topicId();
    return new TreeMap<>(from)
        .entrySet().stream()
            .<TransitionPart>map(
                start ->
                    new KafkaPart(
                        bootstrapServers,
                        topicId,
                        start.getKey(),
                        start.getValue(),
                        to.getOrDefault(start.getKey(), 0L)))
            .toList();
  }

  private String topicId() throws IOException {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      Map<String, TopicDescription> topics =
          admin
              .describeTopics(List.of(Topics.TRAINING))
              .allTopicNames()
              .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return topics.values().iterator().next().topicId().toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + bootstrapServers + " was asked", e);
    } catch (ExecutionException | java.util.concurrent.TimeoutException | KafkaException e) {
      throw new IOException("cannot ask " + bootstrapServers + " for " + Topics.TRAINING, e);
    }
  }

  @Override
  public void forEach(Consumer<Transition> sink) throws IOException {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    ErasedSubjects erased = new ErasureTopic(bootstrapServers).now();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers)) {
      for (Map.Entry<Integer, Long> start : from.entrySet()) {
        long end = to.getOrDefault(start.getKey(), 0L);
        TopicPartition partition = partition(start.getKey());
        consumer.assign(List.of(partition));
        consumer.seek(partition, start.getValue());
        readUntil(
            end,
            partition,
            consumer,
            PATIENCE,
            value -> {
              Transition transition = codec.decode(value);
              Decision decision = transition.getDecision();
              if (!erased.covers(decision.getSubjectId(), decision.getDecidedAtMicros())) {
                sink.accept(transition);
              }
            });
      }
    } catch (TimeoutException e) {
      throw new IOException("no answer from " + bootstrapServers + " in " + PATIENCE, e);
    } catch (UndecodableEventException | KafkaException e) {
      throw new IOException("cannot read " + Topics.TRAINING, e);
    }
  }

  /** Takes the bytes of one transition. */
  interface Values {
    void accept(byte[] value) throws UndecodableEventException;
  }

  /**
   * Reads on to an offset; gives up where nothing has come for as long as {@code patience}, as a
   * consumer itself never does.
   */
  static void readUntil(
      long end,
      TopicPartition partition,
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      Duration patience,
      Values values)
      throws IOException, UndecodableEventException {
    long movedNanos = System.nanoTime();
    long position = consumer.position(partition, patience);
    while (position < end) {
      for (ConsumerRecord<byte[], byte[]> found : consumer.poll(Duration.ofSeconds(1))) {
        if (found.offset() < end) {
          values.accept(found.value());
        }
      }
      long reached = consumer.position(partition, patience);
      if (reached > position) {
        movedNanos = System.nanoTime();
      } else if (System.nanoTime() - movedNanos >= patience.toNanos()) {
        throw new IOException(
            "nothing new came from %s in %d s at offset %d of %d"
                .formatted(partition, patience.toSeconds(), reached, end));
      }
      position = reached;
    }
  }

  @Override
  public String words() {
    return "topic "
        + Topics.TRAINING
        + ", offsets "
        + new TreeMap<>(from)
        + " to "
        + new TreeMap<>(to);
  }

  private static TopicPartition partition(int number) {
    return new TopicPartition(Topics.TRAINING, number);
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> byNumber = new HashMap<>();
    offsets.forEach((partition, offset) -> byNumber.put(partition.partition(), offset));
    return byNumber;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
    Properties settings = new Properties();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
