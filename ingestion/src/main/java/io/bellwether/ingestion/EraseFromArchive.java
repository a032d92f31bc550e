package io.bellwether.ingestion;

import io.bellwether.ingestion.archive.ArchiveErasure;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears an archive of subjects that are to be forgotten, and tells the topic of erasures when that
 * is done. It first names them beside the archive, so that readers leave them out at once; rows are
 * removed a little later, when what was being written meanwhile is finished. Several erasures are
 * done in one pass. What fails is tried again. Owns a thread; whoever makes it closes it.
 */
final class EraseFromArchive implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EraseFromArchive.class);

  private static final Duration POLL = Duration.ofMillis(500);

  /** Operators hear of an erasure within a poll, and a little. */
  private static final Duration SEEN_BY_OPERATORS = Duration.ofSeconds(2);

  private static final Duration RETRY = Duration.ofSeconds(2);

  /** Each try reads the whole archive, and a damaged file waits for somebody who mends it. */
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

  private static final long ACKNOWLEDGED_WITHIN_SECONDS = 30;
  private static final long JOIN_MILLIS = 5000;

  private final String kafka;
  private final Path root;
  private final Clearing archive;
  private final Waits waits;
  private final Clock clock;
  private final Thread thread = new Thread(this::run, "erase-from-archive");
  private volatile boolean closed;

  /** Removes decisions from an archive. */
  interface Clearing {
    /**
     * Removes those that are to go.
     *
     * @return how many files had some
     */
    int clear(ArchiveErasure.Gone gone) throws IOException;
  }

  /**
   * How long things take that an erasure has to wait for.
   *
   * @param settled after it, no file is being written that holds a row from before
   * @param held for so long the job may hold what it took in
   */
  record Waits(Duration settled, Duration held) {}

  /** What is known of the topic. Confined to the thread. */
  private static final class Known {
    final ErasedSubjects all = new ErasedSubjects();
    final Map<String, Erasure> pending = new LinkedHashMap<>();
    int named;

    void take(ConsumerRecord<String, byte[]> record) {
      Erasure.read(record.key(), record.value())
          .ifPresent(
              erasure -> {
                all.add(erasure);
                pending.put(Erasure.Archived.key(erasure), erasure);
                named = -1;
              });
      if (Erasure.isArchived(record.key())) {
        pending.remove(record.key());
      }
    }
  }

  EraseFromArchive(String kafka, Path root, Clearing archive, Waits waits, Clock clock) {
    this.kafka = kafka;
    this.root = root;
    this.archive = archive;
    this.waits = waits;
    this.clock = clock;
    thread.setDaemon(true);
  }

  /** For the archive that the streams on these options write. */
  static EraseFromArchive beside(StreamsOptions options, AttributionSettings settings) {
    Path root = options.data().resolve("archive");
    Duration held = Duration.ZERO;
    for (Surface surface : new DeclaredSurfaces(options.surfaces().toString()).get()) {
      Duration of = surface.longestWindow().plus(settings.retention().of(surface));
      held = of.compareTo(held) > 0 ? of : held;
    }
    // A file is finished with a checkpoint, and one may fail.
    Duration settled = options.checkpointInterval().multipliedBy(3).plus(SEEN_BY_OPERATORS);
    return new EraseFromArchive(
        options.kafka(),
        root,
        gone -> ArchiveErasure.erase(root, gone).filesRewritten(),
        new Waits(settled, held),
        Clock.systemUTC());
  }

  /** Begins, and goes on until it is closed. */
  void start() {
    thread.start();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join(JOIN_MILLIS);
  }

  private void run() {
    boolean said = false;
    Duration retry = RETRY;
    while (!closed) {
      try {
        follow();
      } catch (IOException | RuntimeException e) {
        // Whatever it is: an erasure that was asked for must not wait for the next start.
        if (!said) {
          LOG.warn("Erasures from the archive wait: {}", e.toString());
        }
        said = true;
        pause(retry);
        Duration longer = retry.multipliedBy(2);
        retry = longer.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : longer;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void follow() throws IOException, InterruptedException {
    try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(reading());
        KafkaProducer<String, byte[]> producer = new KafkaProducer<>(writing())) {
      List<TopicPartition> partitions = new ArrayList<>();
      consumer
          .partitionsFor(Topics.ERASURES)
          .forEach(p -> partitions.add(new TopicPartition(p.topic(), p.partition())));
      if (partitions.isEmpty()) {
        throw new IllegalStateException("there is no topic " + Topics.ERASURES);
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Known known = new Known();
      while (!closed) {
        consumer.poll(POLL).forEach(known::take);
        if (ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue())) {
          work(known, producer);
        }
      }
    }
  }

  private void work(Known known, KafkaProducer<String, byte[]> producer)
      throws IOException, InterruptedException {
    if (known.named != known.all.size()) {
      known.all.addAll(ErasedSubjects.in(root)); // Whoever was named once stays named.
      known.all.write(root);
      known.named = known.all.size();
    }
    long settledMicros = micros(clock.millis() - waits.settled().toMillis());
    List<Erasure> due =
        known.pending.values().stream().filter(e -> e.untilMicros() <= settledMicros).toList();
    if (due.isEmpty()) {
      return;
    }
    Map<Erasure, Erasure.Archived> cleared = clear(due);
    for (Map.Entry<Erasure, Erasure.Archived> each : cleared.entrySet()) {
      String key = Erasure.Archived.key(each.getKey());
      send(producer, new ProducerRecord<>(Topics.ERASURES, key, each.getValue().value()));
      known.pending.remove(key);
    }
    LOG.info("{} erasures are done in the archive", due.size());
  }

  /** One pass over the archive for all of them. */
  private Map<Erasure, Erasure.Archived> clear(List<Erasure> due) throws IOException {
    Map<String, Erasure> bySubject = new HashMap<>();
    // Of a subject that was erased twice meanwhile the later one reaches further.
    due.forEach(e -> bySubject.merge(e.subject(), e, EraseFromArchive::later));
    Map<String, Set<Long>> decisions = new HashMap<>();
    int files =
        archive.clear(
            (subjectId, decidedAtMicros) -> {
              Erasure erasure = bySubject.get(Erasure.hash(subjectId));
              if (erasure == null || decidedAtMicros > erasure.untilMicros()) {
                return false;
              }
              // Counted once, however often it is asked for and stands there.
              decisions
                  .computeIfAbsent(erasure.subject(), s -> new HashSet<>())
                  .add(decidedAtMicros);
              return true;
            });
    Map<Erasure, Erasure.Archived> cleared = new LinkedHashMap<>();
    for (Erasure erasure : due) {
      int removed = decisions.getOrDefault(erasure.subject(), Set.of()).size();
      long stateUntil = erasure.untilMicros() + micros(waits.held().toMillis());
      cleared.put(erasure, new Erasure.Archived(removed == 0 ? 0 : files, removed, stateUntil));
    }
    return cleared;
  }

  private static Erasure later(Erasure one, Erasure other) {
    return one.untilMicros() >= other.untilMicros() ? one : other;
  }

  private static void send(
      KafkaProducer<String, byte[]> producer, ProducerRecord<String, byte[]> record)
      throws InterruptedException {
    try {
      producer.send(record).get(ACKNOWLEDGED_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("an erasure could not be acknowledged", e);
    }
  }

  private static long micros(long millis) {
    return millis * 1000;
  }

  private void pause(Duration length) {
    long until = System.nanoTime() + length.toNanos();
    try {
      while (!closed && System.nanoTime() < until) {
        Thread.sleep(POLL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> reading() {
    return Map.of(
        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
        kafka,
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
        StringDeserializer.class,
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
        ByteArrayDeserializer.class,
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "earliest",
        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
        false,
        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
        false,
        ConsumerConfig.CLIENT_ID_CONFIG,
        "bellwether-erase-from-archive",
        ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG,
        "");
  }

  private Map<String, Object> writing() {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        kafka,
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        StringSerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.ACKS_CONFIG,
        "all",
        ProducerConfig.CLIENT_ID_CONFIG,
        "bellwether-erase-from-archive",
        ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG,
        "");
  }
}
