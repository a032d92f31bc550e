package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.attribution.Attributed;
import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.EventTimeSettings;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.metrics.ExpectedNumbers;
import io.bellwether.ingestion.metrics.MetricsSettings;
import io.bellwether.ingestion.session.DueTime;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.session.SessionLinks;
import io.bellwether.ingestion.surface.Surface;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** The whole job, on a real Kafka and a real Redis, cut off in the middle. */
class AttributionJobIT {

  private static final int DECISIONS = 2_000;
  private static final int SUBJECTS = 200;
  private static final int FLAGS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final AttributionSettings SETTINGS =
      new AttributionSettings(
          new EventTimeSettings(
              Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(3)),
          new Retention(Duration.ofMinutes(5)),
          // A busy machine reads one partition long before another.
          Duration.ofSeconds(20),
          Duration.ofDays(30),
          MetricsSettings.defaults());

  private final Surface surface = TestEvents.surface();
  private final Random random = new Random(7);
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Decision> flags = new ArrayList<>();
  private final List<Exposure> exposures = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();

  private @TempDir Path folder;
  private TestKafka kafka;
  private RedisServer redis;
  private int redisPort;

  @BeforeEach
  void startServers() throws Exception {
    kafka = TestKafka.start(folder.resolve("kafka"));
    redisPort = TestKafka.freePort();
    redis =
        RedisServer.newRedisServer().port(redisPort).bind("127.0.0.1").setting("save \"\"").build();
    redis.start();
    Path surfaces = Files.createDirectories(folder.resolve("surfaces"));
    Files.writeString(surfaces.resolve("clips.yaml"), TestEvents.SURFACE_YAML);
  }

  @AfterEach
  void stopServers() throws Exception {
    redis.stop();
    kafka.close();
  }

  @Test
  void aJobThatIsCutOffAndStartedAgainLosesNothingAndDoublesNothing() throws Exception {
    makeEvents();
    KafkaEnds.connect(kafka.bootstrap(), "test"); // Creates the topics.
    produceAndTakeBack(
        TestEvents.outcome(
            "taken back", "d30", null, "like", 1, decisions.get(30).getDecidedAtMicros()));
    Collections.shuffle(records, random);
    // Half of the decisions, and some of their outcomes: the others come late and restate.
    Map<Boolean, List<ProducerRecord<byte[], byte[]>>> parts =
        records.stream().collect(Collectors.partitioningBy(this::comesFirst));
    List<ProducerRecord<byte[], byte[]>> rest = at(parts, false);

    try (Streams streams = Streams.start(options(), SETTINGS);
        KafkaConsumer<byte[], byte[]> consumer = consumer(Topics.TRAINING, Topics.DEAD_LETTERS)) {
      produce(at(parts, true));
      // In the middle: some transitions are out, and so is a checkpoint.
      await(
          () ->
              consumer.poll(Duration.ofMillis(100)).records(Topics.TRAINING).iterator().hasNext());
      await(this::aCheckpointIsThere);
      produce(rest.subList(0, rest.size() / 2));
      streams.cancel();
    }
    produce(rest.subList(rest.size() / 2, rest.size()));

    try (Streams streams = Streams.start(options(), SETTINGS)) {
      assertTrue(streams.restoredFrom().isPresent());
      Map<String, Transition> expected = expected();
      int deadLetters = refused.values().stream().mapToInt(i -> i).sum();

      Map<String, Transition> latest = new HashMap<>();
      Set<String> revisions = new HashSet<>();
      Map<String, Integer> reasons = new TreeMap<>();
      try (KafkaConsumer<byte[], byte[]> consumer =
          consumer(Topics.TRAINING, Topics.DEAD_LETTERS)) {
        EventCodec<Transition> codec = EventCodec.of(Transition.class);
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)
            && !(same(expected, latest) && count(reasons) == deadLetters)) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
            if (record.topic().equals(Topics.DEAD_LETTERS)) {
              reasons.merge(header(record, "x-error"), 1, Integer::sum);
              continue;
            }
            Transition transition = codec.decode(record.value());
            String id = transition.getDecision().getDecisionId();
            assertEquals(id, new String(record.key(), StandardCharsets.UTF_8));
            assertTrue(
                revisions.add(id + " " + transition.getRevision()),
                () -> "twice: " + id + " revision " + transition.getRevision());
            latest.merge(id, transition, (a, b) -> a.getRevision() > b.getRevision() ? a : b);
          }
        }
      }
      assertEquals(refused, reasons);
      assertSame(expected, latest);
      assertTrue(revisions.size() > DECISIONS, "late outcomes restated");
      assertHistories();
      assertNumbers();

      streams.stop();
      Map<String, Transition> archived = new HashMap<>();
      try (TransitionArchive.Transitions transitions =
          new TransitionArchive(folder.resolve("data/archive")).read("clips")) {
        while (transitions.hasNext()) {
          Transition transition = transitions.next();
          assertEquals(null, archived.put(transition.getDecision().getDecisionId(), transition));
        }
      }
      assertSame(expected, archived);
    }
  }

  private boolean comesFirst(ProducerRecord<byte[], byte[]> record) {
    boolean firstHalf = Arrays.hashCode(record.key()) % 2 == 0;
    return firstHalf && (record.topic().equals(Topics.DECISIONS) || random.nextBoolean());
  }

  private StreamsOptions options() {
    return new StreamsOptions(
        kafka.bootstrap(),
        "redis://127.0.0.1:" + redisPort,
        folder.resolve("surfaces"),
        folder.resolve("data"),
        2,
        Duration.ofMillis(500),
        OptionalLong.empty());
  }

  private boolean aCheckpointIsThere() {
    try {
      return new CheckpointFolder(folder.resolve("data/checkpoints")).newest().isPresent();
    } catch (UncheckedIOException replacedMeanwhile) {
      return false;
    }
  }

  /** Decisions of the last ten seconds and more outcomes than that, good and bad. */
  private void makeEvents() {
    long now = Instant.now().toEpochMilli() * 1000;
    for (int i = 0; i < DECISIONS; i++) {
      long at = now - 14_000_000 + (long) (random.nextDouble() * 10_000_000);
      Decision decision = TestEvents.decision("d" + i, "s" + i % SUBJECTS, at);
      decision.setAssignment(random.nextInt(3) == 0 ? null : assignment(decision));
      decisions.add(decision);
      send(Topics.DECISIONS, decision.getDecisionId(), bytes(decision));
      if (i % 10 == 0) {
        send(Topics.DECISIONS, decision.getDecisionId(), bytes(decision));
      }
      for (int o = random.nextInt(5); o > 0; o--) {
        outcome("o" + i + "." + o, decision);
      }
    }
    for (int i = 0; i < FLAGS; i++) {
      long at = now - 14_000_000 + (long) (random.nextDouble() * 10_000_000);
      Decision flag =
          Decision.newBuilder(TestEvents.decision("f" + i, "s" + i % SUBJECTS, at))
              .setMode("FLAG")
              .build();
      flag.setAssignment(assignment(flag));
      flags.add(flag);
      send(Topics.DECISIONS, flag.getDecisionId(), bytes(flag));
      outcome("of" + i, flag);
    }
    Stream.concat(decisions.stream(), flags.stream())
        .filter(decision -> decision.getAssignment() != null)
        .forEach(this::expose);
    for (int i = 0; i < 25; i++) {
      refused(
          Topics.OUTCOMES, "undecodable", "a plaintext message".getBytes(StandardCharsets.UTF_8));
      refused(Topics.DECISIONS, "undecodable", new byte[0]);
      refused(Topics.OUTCOMES, "undecodable", null);
      refused("unknown-decision", TestEvents.outcome("u" + i, "nobody" + i, null, "like", 1, now));
      String id = "d" + i;
      refused("dangling-item", TestEvents.outcome("i" + i, id, "i1", "like", 1, now));
      refused("value-out-of-range", TestEvents.outcome("v" + i, id, "i2", "seconds", 101, now));
      refused("value-out-of-range", TestEvents.outcome("s" + i, id, "i2", "applause", 1, now));
      refused("outside-lookback", TestEvents.outcome("t" + i, id, "i2", "like", 1, now / 1000));
    }
  }

  private void outcome(String id, Decision decision) {
    long at = decision.getDecidedAtMicros() + (long) (random.nextDouble() * 2_200_000);
    String item = random.nextInt(10) == 0 ? null : random.nextBoolean() ? "i2" : "i0";
    int kind = random.nextInt(12);
    Outcome outcome =
        kind == 0
            ? TestEvents.outcome(id, decision.getDecisionId(), null, "leave", 1, at)
            : kind < 5
                ? TestEvents.outcome(id, decision.getDecisionId(), item, "like", 1, at)
                : TestEvents.outcome(
                    id, decision.getDecisionId(), item, "seconds", random.nextInt(50), at);
    outcomes.add(outcome);
    send(Topics.OUTCOMES, decision.getDecisionId(), bytes(outcome));
    if (random.nextInt(5) == 0) {
      send(Topics.OUTCOMES, decision.getDecisionId(), bytes(outcome));
    }
  }

  private Assignment assignment(Decision decision) {
    String subject = decision.getSubjectId();
    boolean crosses = random.nextInt(500) == 0;
    String variant = (subject.hashCode() % 2 == 0) != crosses ? "a" : "b";
    return new Assignment("clips-ranker", 1, variant, subject, 7, 0.5, false);
  }

  private void expose(Decision decision) {
    String subject = decision.getSubjectId();
    String variant = decision.getAssignment().getVariant();
    long at = decision.getDecidedAtMicros();
    Exposure exposure =
        TestEvents.exposure(decision.getDecisionId(), subject, "clips-ranker", 1, variant, at)
            .setDecisionMicros(500 + random.nextInt(5_000))
            .setForced(random.nextInt(100) == 0)
            .setPreperiodMicros(4_000_000)
            .build();
    exposures.add(exposure);
    byte[] bytes = EventCodec.of(Exposure.class).encode(exposure);
    for (int copies = random.nextInt(5) == 0 ? 2 : 1; copies > 0; copies--) {
      send(Topics.EXPOSURES, subject, bytes);
    }
  }

  /** With its decision, or after it: it waits for it no longer than a slow machine starts a job. */
  private void refused(String reason, Outcome outcome) {
    refused.merge(reason, 1, Integer::sum);
    send(Topics.OUTCOMES, outcome.getDecisionId(), bytes(outcome));
  }

  private void refused(String topic, String reason, byte @Nullable [] value) {
    refused.merge(reason, 1, Integer::sum);
    send(topic, "k" + records.size(), value);
  }

  private void send(String topic, String key, byte @Nullable [] value) {
    records.add(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  private static byte[] bytes(Decision decision) {
    return EventCodec.of(Decision.class).encode(decision);
  }

  private static byte[] bytes(Outcome outcome) {
    return EventCodec.of(Outcome.class).encode(outcome);
  }

  /** By the rules alone, over all events at once; revisions and times of joining left out. */
  private Map<String, Transition> expected() throws Exception {
    Map<String, Attributed> attributed = attributed();
    Map<String, List<Decision>> bySubject = new HashMap<>();
    decisions.forEach(
        d -> bySubject.computeIfAbsent(d.getSubjectId(), s -> new ArrayList<>()).add(d));
    Map<String, Transition> expected = new HashMap<>();
    SessionLinks rule = new SessionLinks(surface.sessions().gap());
    DueTime due = DueTime.of(surface);
    for (List<Decision> all : bySubject.values()) {
      List<SessionLinks.Moment> moments =
          all.stream()
              .map(
                  d ->
                      new SessionLinks.Moment(
                          d.getDecisionId(),
                          d.getDecidedAtMicros(),
                          at(attributed, d.getDecisionId()).signals().stream()
                              .anyMatch(s -> s.getSignal().equals("leave"))))
              .toList();
      Map<String, Decision> byId = new HashMap<>();
      all.forEach(d -> byId.put(d.getDecisionId(), d));
      for (SessionLinks.Link link : rule.link(moments)) {
        String id = link.moment().decisionId();
        Attributed signals = at(attributed, id);
        expected.put(
            id,
            Transition.newBuilder()
                .setDecision(at(byId, id))
                .setSignals(signals.signals())
                .setOutcomeCount(signals.outcomeCount())
                .setOutsideWindow(signals.outsideWindow())
                .setSessionId(link.sessionId())
                .setStep(link.step())
                .setNextDecisionId(link.nextDecisionId())
                .setTerminated(link.terminated())
                .setTruncated(link.truncated())
                .setJoinedAtMicros(
                    due.joinedAtMicros(link.moment().decidedAtMicros(), signals.outcomes()))
                .setOutcomes(signals.outcomes())
                .build());
      }
    }
    return expected;
  }

  private Map<String, Attributed> attributed() throws Exception {
    Attribution attribution = new Attribution(surface);
    Map<String, Shown> shown = new HashMap<>();
    Stream.concat(decisions.stream(), flags.stream())
        .forEach(d -> shown.put(d.getDecisionId(), Shown.by(d)));
    Map<String, List<Observed>> observed = new HashMap<>();
    for (Outcome outcome : outcomes) {
      String id = outcome.getDecisionId();
      observed
          .computeIfAbsent(id, d -> new ArrayList<>())
          .add(attribution.observe(at(shown, id), outcome));
    }
    Map<String, Attributed> attributed = new HashMap<>();
    shown
        .keySet()
        .forEach(
            id -> attributed.put(id, attribution.attribute(observed.getOrDefault(id, List.of()))));
    return attributed;
  }

  private static boolean same(Map<String, Transition> expected, Map<String, Transition> actual) {
    return expected.equals(comparable(actual));
  }

  private static void assertSame(Map<String, Transition> expected, Map<String, Transition> actual) {
    assertEquals(expected.size(), actual.size());
    Map<String, Transition> compared = comparable(actual);
    expected.forEach((id, transition) -> assertEquals(transition, compared.get(id), id));
  }

  private static Map<String, Transition> comparable(Map<String, Transition> transitions) {
    Map<String, Transition> comparable = new HashMap<>();
    transitions.forEach(
        (id, transition) ->
            comparable.put(id, Transition.newBuilder(transition).setRevision(0).build()));
    return comparable;
  }

  private void assertHistories() throws Exception {
    FeatureLayout layout = FeatureLayout.of(surface);
    Map<String, Attributed> attributed = attributed();
    Map<String, List<SubjectHistory.Entry>> entries = new HashMap<>();
    for (Decision decision : decisions) {
      for (int position = 0; position < 2; position++) {
        long item = ItemReference.of(decision.getSlate().get(position).getItemId());
        float[] signals = {
          value(at(attributed, decision.getDecisionId()), "seconds", position),
          value(at(attributed, decision.getDecisionId()), "like", position)
        };
        entries
            .computeIfAbsent(decision.getSubjectId(), s -> new ArrayList<>())
            .add(
                new SubjectHistory.Entry(
                    decision.getDecidedAtMicros(), decision.getDecisionId(), item, signals));
      }
    }
    try (StatefulRedisConnection<String, byte[]> connection = connect()) {
      for (Map.Entry<String, List<SubjectHistory.Entry>> subject : entries.entrySet()) {
        List<SubjectHistory.Entry> all = new SubjectHistory(subject.getValue()).entries();
        byte[] expected =
            new SubjectHistory(all.subList(all.size() - 3, all.size())).toBytes(layout);
        String key = SubjectHistory.redisKey("clips", subject.getKey());
        assertArrayEquals(expected, connection.sync().get(key), key);
        assertTrue(connection.sync().ttl(key) > 0, "it expires one day");
      }
    }
  }

  private void assertNumbers() throws Exception {
    Map<String, Attributed> attributed = attributed();
    ExpectedNumbers expected = new ExpectedNumbers(surface);
    Stream.concat(decisions.stream(), flags.stream())
        .forEach(
            d ->
                expected.decided(
                    new ExpectedNumbers.Done(
                        d.getDecisionId(),
                        d.getSubjectId(),
                        d.getDecidedAtMicros(),
                        at(attributed, d.getDecisionId()).signals())));
    exposures.forEach(expected::exposed);

    EventCodec<VariantNumbers> codec = EventCodec.of(VariantNumbers.class);
    Map<String, VariantNumbers> latest = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(Topics.EXPERIMENT_METRICS)) {
      Instant deadline = Instant.now().plus(PATIENCE);
      while (Instant.now().isBefore(deadline) && !expected.areCounted(latest)) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          String key = new String(record.key(), StandardCharsets.UTF_8);
          latest.put(key, codec.decode(record.value()));
        }
      }
    }
    expected.assertAre(latest);
    try (StatefulRedisConnection<String, byte[]> connection = connect()) {
      Map<String, byte[]> online = connection.sync().hgetall("bellwether:experiment:clips-ranker");
      assertEquals(latest.keySet(), online.keySet());
      assertTrue(connection.sync().ttl("bellwether:experiment:clips-ranker") > 0);
    }
  }

  private static float value(Attributed attributed, String signal, int position) {
    float slate = 0;
    for (var value : attributed.signals()) {
      if (value.getSignal().equals(signal) && value.getPosition() == position) {
        return (float) value.getValue();
      }
      if (value.getSignal().equals(signal) && value.getPosition() == -1) {
        slate = (float) value.getValue();
      }
    }
    return slate;
  }

  private StatefulRedisConnection<String, byte[]> connect() {
    RedisURI address = RedisURI.create("127.0.0.1", redisPort);
    return RedisClient.create(address)
        .connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }

  private void produce(List<ProducerRecord<byte[], byte[]>> batch) {
    Map<String, Object> configuration = Map.of("bootstrap.servers", kafka.bootstrap());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer())) {
      batch.forEach(producer::send);
    }
  }

  private void produceAndTakeBack(Outcome outcome) {
    Map<String, Object> configuration =
        Map.of("bootstrap.servers", kafka.bootstrap(), "transactional.id", "a product");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      byte[] key = outcome.getDecisionId().getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(Topics.OUTCOMES, key, bytes(outcome)));
      producer.flush();
      producer.abortTransaction();
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer(String... topics) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrap(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics) {
      consumer
          .partitionsFor(topic)
          .forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private static <K, V> V at(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key));
  }

  private static int count(Map<String, Integer> reasons) {
    return reasons.values().stream().mapToInt(i -> i).sum();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static void await(BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(deadline), "it did not happen in time");
      Thread.onSpinWait();
    }
  }
}
