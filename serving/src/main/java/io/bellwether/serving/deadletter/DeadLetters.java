package io.bellwether.serving.deadletter;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;

/**
 * The dead letters in Kafka, and what people do about them, on one thread of its own; a few calls
 * may wait. A call reads a bounded stretch of the topic for a bounded time. Owns the thread and its
 * consumers. Thread-safe.
 *
 * <p>What is done goes through {@link ActionLog}, one call at a time over all replicas: a letter is
 * sent again in the transaction that says so, and never by a second one.
 */
@Singleton
public final class DeadLetters {

  private static final Logger LOG = Logger.getLogger(DeadLetters.class);

  /** Calls that may wait for the one that runs. */
  private static final int WAITING = 16;

  private static final int RETRY_AFTER_SECONDS = 1;

  /** Letters that one page may look at: with a rare reason most are passed over. */
  private static final int MOST_LOOKED_AT = 20_000;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  private final ServingConfig config;
  private final Clock clock;
  private final ActionLog actions;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread made = new Thread(task, "dead-letters");
            made.setDaemon(true);
            return made;
          });

  /** A letter, and what was done about it. */
  record Entry(Letter letter, Action action) {}

  /**
   * Some letters.
   *
   * @param next where to go on, by partition
   * @param complete whether the topic was read to its end
   */
  record Page(List<Entry> entries, Map<Integer, Long> next, boolean complete) {
    Page {
      entries = List.copyOf(entries);
      next = new TreeMap<>(next);
    }
  }

  /**
   * Which letters, and how many.
   *
   * @param from where to begin, by partition; where it names none, at {@code after}
   */
  record Query(Predicate<Letter> wanted, Instant after, Map<Integer, Long> from, int size) {}

  DeadLetters(ServingConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
    actions = new ActionLog(config.kafka());
  }

  void stop(@Observes ShutdownEvent event) {
    thread.shutdownNow();
    actions.close();
  }

  /** Letters in the order of partitions and then of offsets. Fails as {@link #get}. */
  CompletionStage<Page> list(Query query) {
    return call(consumer -> list(consumer, query));
  }

  /**
   * One letter. Fails as {@code not-found}, as {@code unavailable} where Kafka does not answer, and
   * as {@code rate-limited} where too many calls wait.
   */
  CompletionStage<Entry> get(LetterId id) {
    return call(consumer -> entry(consumer, id));
  }

  /**
   * Says what is to be sent in the place of a letter's bytes; nothing is sent yet. Fails as {@link
   * #get}, as the change does, and as {@code state-conflict} where it was replayed already.
   *
   * @param change the new bytes of a letter
   */
  CompletionStage<Entry> fix(LetterId id, Function<Entry, byte[]> change, String by, String why) {
    return call(
        consumer -> {
          Entry found = entry(consumer, id);
          return actions.alone(
              () -> {
                Action before = actions.of(id);
                if (before.replayed() != null) {
                  throw ProblemException.of(
                      Slug.STATE_CONFLICT,
                      "%s was replayed at %s; what comes of it is another dead letter."
                          .formatted(id, before.replayed().at()));
                }
                byte[] bytes = change.apply(new Entry(found.letter(), before));
                Action after = before.fixedBy(bytes, new Action.Done(now(), by, why));
                actions.write(Map.of(id, after), List.of());
                return new Entry(found.letter(), after);
              });
        });
  }

  /**
   * Sends letters to the topics that they came from, all of them or none; of those that were sent
   * before, nothing. Fails as {@link #get}, and as {@code state-conflict} where one would only be
   * refused again.
   */
  CompletionStage<List<Entry>> replay(List<LetterId> ids, String by) {
    return call(
        consumer -> {
          List<Letter> letters = new ArrayList<>();
          for (LetterId id : ids) {
            letters.add(entry(consumer, id).letter());
          }
          return actions.alone(() -> replayNew(letters, new Action.Done(now(), by, null)));
        });
  }

  private List<Entry> replayNew(List<Letter> letters, Action.Done done) {
    List<Entry> entries = new ArrayList<>();
    Map<LetterId, Action> changed = new HashMap<>();
    List<ActionLog.Sending> sendings = new ArrayList<>();
    for (Letter letter : letters) {
      Action before = changed.getOrDefault(letter.id(), actions.of(letter.id()));
      Action after = before;
      if (before.replayed() == null) {
        sendings.add(sending(letter, before));
        after = before.replayedBy(done);
        changed.put(letter.id(), after);
      }
      entries.add(new Entry(letter, after));
    }
    if (!changed.isEmpty()) {
      actions.write(changed, sendings);
    }
    return entries;
  }

  private static ActionLog.Sending sending(Letter letter, Action action) {
    EventKind<?> kind =
        EventKind.of(letter.topic())
            .orElseThrow(
                () ->
                    ProblemException.of(
                        Slug.STATE_CONFLICT,
                        "%s does not say from which topic it came.".formatted(letter.id())));
    byte[] value = action.value() == null ? letter.value() : action.value();
    EventKind.Read event =
        kind.read(value)
            .orElseThrow(
                () ->
                    ProblemException.of(
                        Slug.STATE_CONFLICT,
                        "%s holds no %s and would be refused again; fix it first."
                            .formatted(letter.id(), kind.name())));
    return new ActionLog.Sending(letter.topic(), event.key(), value, letter.id());
  }

  private Instant now() {
    return clock.instant();
  }

  private Page list(KafkaConsumer<byte[], byte[]> consumer, Query query) {
    List<TopicPartition> partitions = partitions(consumer);
    if (partitions.isEmpty()) {
      return new Page(List.of(), Map.of(), true);
    }
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<Integer, Long> next = new TreeMap<>();
    begin(consumer, query, begins, ends).forEach((p, at) -> next.put(p.partition(), at));
    next.forEach((p, at) -> consumer.seek(new TopicPartition(Topics.DEAD_LETTERS, p), at));

    List<Letter> found = new ArrayList<>();
    int looked = 0;
    boolean full = false;
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!full && !reached(consumer, ends) && System.nanoTime() < until) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        full = found.size() == query.size() || looked == MOST_LOOKED_AT;
        if (full) {
          break;
        }
        looked++;
        next.put(record.partition(), record.offset() + 1);
        Letter letter = Letter.of(record);
        if (query.wanted().test(letter)) {
          found.add(letter);
        }
      }
    }
    return new Page(entries(found), next, !full && reached(consumer, ends));
  }

  private List<Entry> entries(List<Letter> letters) {
    actions.catchUp();
    return letters.stream().map(letter -> new Entry(letter, actions.of(letter.id()))).toList();
  }

  private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(Topics.DEAD_LETTERS).stream()
        .map(p -> new TopicPartition(p.topic(), p.partition()))
        .toList();
  }

  private static Map<TopicPartition, Long> begin(
      KafkaConsumer<byte[], byte[]> consumer,
      Query query,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> times = new HashMap<>();
    begins.keySet().forEach(p -> times.put(p, Math.max(0, query.after().toEpochMilli())));
    Map<TopicPartition, OffsetAndTimestamp> since = consumer.offsetsForTimes(times);
    Map<TopicPartition, Long> begin = new HashMap<>();
    begins.forEach(
        (partition, first) -> {
          OffsetAndTimestamp at = since.get(partition);
          long start = at == null ? ends.getOrDefault(partition, first) : at.offset();
          long from = query.from().getOrDefault(partition.partition(), start);
          begin.put(partition, Math.max(first, from));
        });
    return begin;
  }

  private static boolean reached(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** A letter by its place. */
  private Entry entry(KafkaConsumer<byte[], byte[]> consumer, LetterId id) {
    TopicPartition partition = new TopicPartition(Topics.DEAD_LETTERS, id.partition());
    if (partitions(consumer).contains(partition)) {
      List<TopicPartition> one = List.of(partition);
      consumer.assign(one);
      long first = consumer.beginningOffsets(one).getOrDefault(partition, 0L);
      long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
      if (id.offset() >= first && id.offset() < end) {
        consumer.seek(partition, id.offset());
        Optional<Letter> letter = next(consumer, partition);
        if (letter.isPresent() && letter.get().id().equals(id)) {
          return entries(List.of(letter.get())).get(0);
        }
      }
    }
    throw ProblemException.of(
        Slug.NOT_FOUND, "There is no dead letter '%s', or none any more.".formatted(id));
  }

  private static Optional<Letter> next(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    long from = consumer.position(partition);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until && consumer.position(partition) == from) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return Optional.of(Letter.of(record));
      }
    }
    return Optional.empty();
  }

  private <T> CompletionStage<T> call(Function<KafkaConsumer<byte[], byte[]>, T> work) {
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties())) {
              return work.apply(consumer);
            } catch (OffsetOutOfRangeException e) {
              throw ProblemException.of(
                  Slug.NOT_FOUND, "The dead letter has been let go meanwhile.");
            } catch (KafkaException e) {
              LOG.debug("dead letters cannot be read", e);
              throw ProblemException.retryAfter(
                  Slug.UNAVAILABLE,
                  RETRY_AFTER_SECONDS,
                  "Kafka, which holds the dead letters, does not answer: " + e.getMessage());
            }
          },
          thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          ProblemException.retryAfter(
              Slug.RATE_LIMITED,
              RETRY_AFTER_SECONDS,
              "%d calls for dead letters wait, which is the most.".formatted(WAITING + 1)));
    }
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-dead-letters");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    // What a job took back was never refused.
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 << 20);
    int patience = Math.toIntExact(PATIENCE.toMillis());
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patience);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, patience - 100);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return properties;
  }
}
