package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.Attributed;
import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.EventTimeSettings;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.metrics.ExpectedNumbers;
import io.bellwether.ingestion.metrics.MetricsSettings;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.session.SessionLinks;
import io.bellwether.ingestion.surface.Surface;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Two minutes of traffic, always the same, of which a savepoint was taken after {@link #CUT}: at
 * that moment decisions are open, outcomes wait for theirs, sessions are held and units counted.
 * What must come of it is worked out from the rules, not from the job.
 */
final class UpgradeStory {

  /** How long after its beginning the savepoint was taken, by arrival. */
  static final Duration CUT = Duration.ofSeconds(80);

  private static final long BEGINNING =
      Instant.parse("2026-11-30T12:00:00Z").getEpochSecond() * 1_000_000;

  private static final int DECISIONS = 240;
  private static final int FLAGS = 24;
  private static final int SUBJECTS = 8;

  /** One each ten seconds; each is given up after half a minute. */
  private static final int UNKNOWN = 12;

  private static final int UNKNOWN_LATER = 7;

  private final Random random = new Random(11);
  private final Surface surface = TestEvents.surface();
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Decision> flags = new ArrayList<>();
  private final List<Exposure> exposures = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
  private record Arrival(long atMicros, String topic, String key, byte[] value) {}

  private UpgradeStory() {
    for (int i = 0; i < DECISIONS; i++) {
      long at = BEGINNING + i * 500_000L + random.nextInt(400_000);
      decided(decisions, TestEvents.decision("d" + i, "s" + random.nextInt(SUBJECTS), at));
    }
    for (int i = 0; i < FLAGS; i++) {
      long at = BEGINNING + i * 5_000_000L + random.nextInt(400_000);
      Decision flag = TestEvents.decision("f" + i, "s" + random.nextInt(SUBJECTS), at);
      decided(flags, Decision.newBuilder(flag).setMode("FLAG").build());
    }
    for (int i = 0; i < UNKNOWN; i++) {
      long at = BEGINNING + i * 10_000_000L;
      arrive(at, Topics.OUTCOMES, "nobody" + i, outcome("u" + i, "nobody" + i, "like", 1, at, at));
    }
    // Hours later: every window of the above is over.
    long end = BEGINNING + Duration.ofHours(2).toMillis() * 1000;
    Decision last = TestEvents.decision("end", "nobody else", end);
    last.setAssignment(assignment(last));
    decisions.add(last);
    arrive(end, Topics.DECISIONS, "end", EventCodec.of(Decision.class).encode(last));
    expose(last, end);
    Outcome none = TestEvents.outcome("end", "end", null, "like", 1, end);
    outcomes.add(none);
    arrive(end, Topics.OUTCOMES, "end", EventCodec.of(Outcome.class).encode(none));
    arrivals.sort(Comparator.comparingLong(Arrival::atMicros));
  }

  static UpgradeStory told() {
    return new UpgradeStory();
  }

  /** All records in the order in which they arrive. */
  static List<Received> records() {
    Map<String, Long> offsets = new HashMap<>();
    return new UpgradeStory()
        .arrivals.stream()
            .map(
                a ->
                    new Received(
                        a.topic(),
                        0,
                        offsets.merge(a.topic(), 1L, Long::sum) - 1,
                        a.atMicros() / 1000,
                        a.key().getBytes(StandardCharsets.UTF_8),
                        a.value()))
            .toList();
  }

  static List<Surface> surfaces() {
    return List.of(TestEvents.surface());
  }

  /** How many of the records arrived before the savepoint. */
  static int arrivedBefore() {
    long cutMillis = BEGINNING / 1000 + CUT.toMillis();
    return (int) records().stream().filter(r -> r.writtenAtMillis() < cutMillis).count();
  }

  /** Stands still after all of it, so that only events move event time. */
  static Clock clock() {
    return Clock.fixed(
        Instant.ofEpochSecond(BEGINNING / 1_000_000).plus(Duration.ofHours(3)), ZoneOffset.UTC);
  }

  static AttributionSettings settings() {
    return new AttributionSettings(
        new EventTimeSettings(Duration.ofSeconds(2), Duration.ofDays(1), Duration.ZERO),
        new Retention(Duration.ofSeconds(30)),
        Duration.ofSeconds(30),
        Duration.ofDays(30),
        // Numbers go by the wall clock, and the savepoint grows old.
        new MetricsSettings(Duration.ofDays(36_500), 100));
  }

  private void decided(List<Decision> to, Decision decision) {
    boolean flag = decision.getMode().equals("FLAG");
    decision.setAssignment(!flag && random.nextInt(3) == 0 ? null : assignment(decision));
    to.add(decision);
    long at = decision.getDecidedAtMicros();
    String id = decision.getDecisionId();
    byte[] bytes = EventCodec.of(Decision.class).encode(decision);
    arrive(later(at), Topics.DECISIONS, id, bytes);
    if (random.nextInt(10) == 0) {
      arrive(later(at), Topics.DECISIONS, id, bytes);
    }
    if (decision.getAssignment() != null) {
      expose(decision, later(at));
    }
    for (int o = random.nextInt(4); o > 0; o--) {
      happened("o." + id + "." + o, decision);
    }
  }

  private void happened(String id, Decision decision) {
    long at = decision.getDecidedAtMicros() + random.nextInt(2_200_000);
    long received = later(at);
    String item = random.nextInt(10) == 0 ? null : random.nextBoolean() ? "i2" : "i0";
    int kind = random.nextInt(12);
    String signal = kind == 0 ? "leave" : kind < 5 ? "like" : "seconds";
    double value = kind < 5 ? 1 : random.nextInt(50);
    Outcome outcome =
        TestEvents.outcome(
            id, decision.getDecisionId(), kind == 0 ? null : item, signal, value, at);
    outcome.setReceivedAtMicros(received);
    outcomes.add(outcome);
    byte[] bytes = EventCodec.of(Outcome.class).encode(outcome);
    arrive(received, Topics.OUTCOMES, decision.getDecisionId(), bytes);
    if (random.nextInt(8) == 0) {
      long again = received + random.nextInt(2_000_000);
      arrive(again, Topics.OUTCOMES, decision.getDecisionId(), bytes);
    }
  }

  private void expose(Decision decision, long arrivesAt) {
    String subject = decision.getSubjectId();
    Exposure exposure =
        TestEvents.exposure(
                decision.getDecisionId(),
                subject,
                "clips-ranker",
                1,
                decision.getAssignment().getVariant(),
                decision.getDecidedAtMicros())
            .setDecisionMicros(500 + random.nextInt(5_000))
            .setPreperiodMicros(4_000_000)
            .build();
    exposures.add(exposure);
    arrive(arrivesAt, Topics.EXPOSURES, subject, EventCodec.of(Exposure.class).encode(exposure));
  }

  private static Assignment assignment(Decision decision) {
    String subject = decision.getSubjectId();
    String variant = subject.hashCode() % 2 == 0 ? "a" : "b";
    return new Assignment("clips-ranker", 1, variant, subject, 7, 0.5, false);
  }

  private byte[] outcome(
      String id, String decisionId, String signal, double value, long at, long received) {
    Outcome outcome = TestEvents.outcome(id, decisionId, null, signal, value, at);
    outcome.setReceivedAtMicros(received);
    return EventCodec.of(Outcome.class).encode(outcome);
  }

  /** Most arrive at once, some after others have long gone on. */
  private long later(long micros) {
    return micros + random.nextInt(random.nextInt(6) == 0 ? 15_000_000 : 300_000);
  }

  private void arrive(long atMicros, String topic, String key, byte[] value) {
    arrivals.add(new Arrival(atMicros, topic, key, value));
  }

  /** Outcomes whose decision never comes, and which still waited for it at the savepoint. */
  static int givenUpLater() {
    return UNKNOWN_LATER;
  }

  /** By decision id; revisions, times of joining and the outcomes behind the signals left out. */
  Map<String, Transition> transitions() throws Exception {
    Map<String, Attributed> attributed = attributed();
    Map<String, List<Decision>> bySubject = new TreeMap<>();
    for (Decision decision : decisions) {
      if (!decision.getDecisionId().equals("end")) {
        bySubject.computeIfAbsent(decision.getSubjectId(), s -> new ArrayList<>()).add(decision);
      }
    }
    Map<String, Transition> expected = new TreeMap<>();
    SessionLinks rule = new SessionLinks(surface.sessions().gap());
    for (List<Decision> all : bySubject.values()) {
      Map<String, Decision> byId = new HashMap<>();
      all.forEach(d -> byId.put(d.getDecisionId(), d));
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
                .setJoinedAtMicros(0)
                .build());
      }
    }
    return expected;
  }

  ExpectedNumbers numbers() throws Exception {
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
    return expected;
  }

  /** Each subject's newest items as rows, by Redis key. */
  Map<String, float[]> histories() throws Exception {
    Map<String, Attributed> attributed = attributed();
    Map<String, List<SubjectHistory.Entry>> entries = new TreeMap<>();
    for (Decision decision : decisions) {
      Attributed signals = at(attributed, decision.getDecisionId());
      for (int position = 0; position < 2; position++) {
        float[] item = {position == 0 ? 2f : 0f, 1f};
        float[] values = {value(signals, "seconds", position), value(signals, "like", position)};
        entries
            .computeIfAbsent(
                SubjectHistory.redisKey("clips", decision.getSubjectId()), s -> new ArrayList<>())
            .add(
                new SubjectHistory.Entry(
                    decision.getDecidedAtMicros(), decision.getDecisionId(), item, values));
      }
    }
    Map<String, float[]> histories = new TreeMap<>();
    entries.forEach(
        (key, of) -> {
          List<SubjectHistory.Entry> all = new SubjectHistory(of).entries();
          List<SubjectHistory.Entry> newest = all.subList(Math.max(0, all.size() - 3), all.size());
          // As exact as Redis holds it.
          byte[] bytes = new SubjectHistory(newest).toBytes(FeatureLayout.of(surface));
          histories.put(key, historyRows(bytes));
        });
    return histories;
  }

  /**
   * A history as a decision would see it long after: items of an earlier release, which kept their
   * features, look like those that are named.
   */
  float[] historyRows(byte[] stored) {
    FeatureLayout layout = FeatureLayout.of(surface);
    float[] rows = new float[layout.historyLength() * layout.historyWidth()];
    long now = BEGINNING + Duration.ofDays(1).toMillis() * 1000;
    SubjectHistory.encode(
        stored,
        layout,
        now,
        (reference, target, offset) -> {
          target[offset] = ItemReference.is(reference, "i2") ? 2 : 0;
          target[offset + 1] = 1;
          return true;
        },
        rows,
        0);
    return rows;
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

  private static <K, V> V at(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key));
  }
}
