package io.bellwether.serving.subject;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.Journal;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Erasures on their way from the request to the receipt. A request is told to the topic of erasures
 * and nothing else; the streams then let nothing of the subject through, the archive is cleared by
 * whoever writes it and says so in the topic, and then Redis is cleared, in which by that time
 * nobody writes anything of it any more. Whatever stands still goes on after a restart, in any
 * replica: the topic knows all. Owns a thread and its consumer. Thread-safe.
 *
 * <p>No subject's id is kept or logged here, only its hash.
 */
@Singleton
public final class Erasures {

  private static final Logger LOG = Logger.getLogger(Erasures.class);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final long JOIN_MILLIS = 1000;

  /** A replica finishes what another one was asked for when that one has not for so long. */
  private static final Duration OTHERS_AFTER = Duration.ofMinutes(1);

  private final ServingConfig config;
  private final ErasureLog log;
  private final RedisErasure redis;
  private final Receipts receipts;
  private final Pseudonyms pseudonyms;
  private final Experiments experiments;
  private final EventIds ids;
  private final Clock clock;
  private final Event<Forgotten> forgotten;
  private final Map<String, Job> pending = new ConcurrentHashMap<>();
  private final Set<String> ours = ConcurrentHashMap.newKeySet();
  private final Semaphore ended = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "erasures");

  /** An erasure that has no receipt yet. Immutable. */
  private record Job(
      String id,
      String by,
      @Nullable String reason,
      Map<String, Erasure> erasures,
      Map<String, Erasure.Archived> archived) {

    Job {
      erasures = Map.copyOf(erasures);
      archived = Map.copyOf(archived);
    }

    Job with(Erasure erasure) {
      Map<String, Erasure> more = new HashMap<>(erasures);
      more.put(Erasure.Archived.key(erasure), erasure);
      return new Job(id, by, reason, more, archived);
    }

    Job with(String key, Erasure.Archived done) {
      Map<String, Erasure.Archived> more = new HashMap<>(archived);
      more.put(key, done);
      return new Job(id, by, reason, erasures, more);
    }

    boolean isArchived() {
      return archived.keySet().containsAll(erasures.keySet());
    }

    long untilMicros() {
      return erasures.values().stream().mapToLong(Erasure::untilMicros).max().orElse(0);
    }
  }

  /**
   * How far an erasure has come.
   *
   * @param waitsFor what it needs next; absent when it is done
   * @param receipt present when it is done
   * @param digest which the next receipt names
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Progress(
      String job,
      String status,
      @Nullable String waitsFor,
      @Nullable Receipt receipt,
      @Nullable String digest) {}

  Erasures(
      ServingConfig config,
      Depot depot,
      RedisErasure redis,
      Pseudonyms pseudonyms,
      Experiments experiments,
      EventIds ids,
      Clock clock,
      Event<Forgotten> forgotten) {
    this.config = config;
    this.redis = redis;
    this.pseudonyms = pseudonyms;
    this.experiments = experiments;
    this.ids = ids;
    this.clock = clock;
    this.forgotten = forgotten;
    log = new ErasureLog(config.kafka());
    receipts = new Receipts(new Journal(depot, "erasures"));
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    ended.release();
    thread.join(JOIN_MILLIS);
  }

  /**
   * Asks for an erasure; waits until Kafka has it.
   *
   * @throws ProblemException {@code unavailable} where Kafka has not: then nothing is known to have
   *     begun, and asking again is right
   */
  Progress ask(String subjectId, String by, @Nullable String reason) {
    String job = ids.next();
    long until = ErasureLog.micros(clock.instant());
    List<Erasure> erasures =
        pseudonyms.everOf(subjectId).stream()
            .map(id -> new Erasure(Erasure.hash(id), job, until))
            .toList();
    ours.add(job);
    try {
      log.tell(erasures, by, reason);
    } catch (org.apache.kafka.common.KafkaException e) {
      throw ProblemException.retryAfter(
          Slug.UNAVAILABLE, 1, "Kafka, which has to know, does not answer: " + e.getMessage());
    }
    return new Progress(job, "PENDING", "archive", null, null);
  }

  /**
   * How far a job has come; empty for what is none, or none yet of which this replica has heard.
   */
  Optional<Progress> progress(String job) {
    Optional<Receipts.Kept> kept = receipts.find(job);
    if (kept.isPresent()) {
      return Optional.of(
          new Progress(job, "DONE", null, kept.get().receipt(), kept.get().digest()));
    }
    Job known = pending.get(job);
    if (known == null) {
      return ours.contains(job)
          ? Optional.of(new Progress(job, "PENDING", "archive", null, null))
          : Optional.empty();
    }
    return Optional.of(
        new Progress(job, "PENDING", known.isArchived() ? "redis" : "archive", null, null));
  }

  private void run() {
    boolean said = false;
    try {
      do {
        try (KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(properties())) {
          follow(consumer);
        } catch (RuntimeException e) {
          // Of whatever kind: without this thread nobody would be forgotten any more.
          if (!said) {
            LOG.warnf("Erasures wait: %s", e.getMessage());
          }
          said = true;
        }
      } while (!ended.tryAcquire(RETRY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until there is trouble, or the end. */
  private void follow(KafkaConsumer<String, byte[]> consumer) throws InterruptedException {
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.ERASURES).stream()
            .map(p -> new TopicPartition(p.topic(), p.partition()))
            .toList();
    if (partitions.isEmpty()) {
      return; // Nobody was ever erased.
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    pending.clear();
    while (!ended.tryAcquire()) {
      consumer.poll(POLL).forEach(this::take);
      if (ends.entrySet().stream()
          .allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
        List.copyOf(pending.values()).forEach(this::finishIfReady);
      }
    }
    ended.release();
  }

  private void take(ConsumerRecord<String, byte[]> record) {
    Erasure.read(record.key(), record.value())
        .ifPresent(
            erasure -> {
              forgotten.fire(new Forgotten(erasure));
              pending.put(
                  erasure.job(),
                  pending
                      .getOrDefault(
                          erasure.job(),
                          new Job(
                              erasure.job(),
                              Optional.ofNullable(header(record, ErasureLog.BY)).orElse("api"),
                              header(record, ErasureLog.REASON),
                              Map.of(),
                              Map.of()))
                      .with(erasure));
            });
    if (Erasure.isArchived(record.key()) && record.value() != null) {
      String job = record.key().substring(record.key().lastIndexOf('/') + 1);
      Job known = pending.get(job);
      Optional<Erasure.Archived> done = Erasure.Archived.read(record.value());
      if (known != null && done.isPresent()) {
        pending.put(job, known.with(record.key(), done.get()));
      }
    }
  }

  private static @Nullable String header(ConsumerRecord<String, byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  private void finishIfReady(Job job) {
    if (!job.isArchived()) {
      return;
    }
    if (receipts.find(job.id()).isPresent()) {
      pending.remove(job.id());
      return;
    }
    Instant until = ErasureLog.moment(job.untilMicros());
    boolean mine = ours.contains(job.id());
    if (!mine && clock.instant().isBefore(until.plus(OTHERS_AFTER))) {
      return;
    }
    RedisErasure.Deleted deleted = redis.delete(List.copyOf(job.erasures().values()));
    List<Receipt.Expiry> expires = new ArrayList<>(log.expiries(clock.instant()));
    long state =
        job.archived().values().stream()
            .mapToLong(Erasure.Archived::stateUntilMicros)
            .max()
            .orElse(0);
    expires.add(new Receipt.Expiry("state and checkpoints of streams", ErasureLog.moment(state)));
    receipts.append(
        job.id(),
        (sequence, previous) ->
            new Receipt(
                job.id(),
                sequence,
                previous,
                job.erasures().values().stream().map(Erasure::subject).sorted().toList(),
                job.by(),
                job.reason(),
                until,
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                removed(job, deleted),
                expires,
                remains(job)));
    pending.remove(job.id());
    ours.remove(job.id());
    LOG.infof("Erasure %s is done", job.id());
  }

  private static List<Receipt.Removed> removed(Job job, RedisErasure.Deleted deleted) {
    long decisions = 0;
    long files = 0;
    for (Erasure.Archived archived : job.archived().values()) {
      decisions += archived.decisionsRemoved();
      files += archived.filesRewritten();
    }
    return List.of(
        new Receipt.Removed("archive", "decisions with all that came of them", decisions),
        new Receipt.Removed("archive", "files rewritten", files),
        new Receipt.Removed("redis", "histories", deleted.histories()),
        new Receipt.Removed("redis", "decisions kept for retries", deleted.decisions()),
        new Receipt.Removed("redis", "decisions kept for activation", deleted.deferred()));
  }

  /** What an erasure does not reach, said rather than left out. */
  private List<String> remains(Job job) {
    Set<String> hashes =
        job.erasures().values().stream().map(Erasure::subject).collect(Collectors.toSet());
    List<String> remains = new ArrayList<>();
    experiments
        .all()
        .forEach(
            state -> {
              if (state.declaration().overrides().keySet().stream()
                  .anyMatch(subject -> hashes.contains(Erasure.hash(subject)))) {
                remains.add(
                    "experiment '%s' names the subject in its overrides, and its log keeps that"
                        .formatted(state.name()));
              }
            });
    remains.add("numbers of experiments and reports: sums over people that name nobody");
    remains.add("policy versions that were trained before: they hold no rows; train again");
    return remains;
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new TreeMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-erasures");
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 200);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return properties;
  }
}
