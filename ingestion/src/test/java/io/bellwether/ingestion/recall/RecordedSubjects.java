package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.attribution.Attributed;
import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.attribution.SlateHistory;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.history.KeepHistory;
import io.bellwether.ingestion.redis.RedisValue;
import io.bellwether.ingestion.surface.Surface;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/**
 * What subjects were shown and did, with each decision's history as serving had it from the real
 * operator's values, which it saw after a while.
 */
final class RecordedSubjects {

  static final long BEGIN = 1_764_460_800_000_000L;
  static final Surface SURFACE = TestEvents.surface();
  static final FeatureLayout LAYOUT = FeatureLayout.of(SURFACE);

  private static final int DECISIONS = 300;
  private static final int SUBJECTS = 12;

  private final Random random = new Random(3);
  private final Attribution attribution = new Attribution(SURFACE);
  private final SlateHistory rule = new SlateHistory(SURFACE);
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Shown> shown = new HashMap<>();
  private final Map<String, List<Observed>> observed = new HashMap<>();
  private final Map<String, List<Told>> told = new HashMap<>();
  private final List<Decision> decisions = new ArrayList<>();

  /** Either is null. */
  private record Event(long atMicros, Decision decision, Outcome outcome) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Told(long atMicros, byte[] value) {}

  /**
   * @param delay until serving sees a value that the operator told
   */
  static RecordedSubjects seenAfter(Duration delay) throws Exception {
    RecordedSubjects all = new RecordedSubjects();
    all.tell();
    all.play(delay.toMillis() * 1_000);
    return all;
  }

  @SuppressWarnings("NullAway")
  private void tell() {
    for (int i = 0; i < DECISIONS; i++) {
      long at = BEGIN + i * 700_000L + random.nextInt(600_000);
      Decision decision = TestEvents.decision("d" + i, "s" + random.nextInt(SUBJECTS), at);
      if (random.nextBoolean()) {
        decision.setRawItems("[]");
      }
      events.add(new Event(at, decision, null));
      for (int o = random.nextInt(4); o > 0; o--) {
        String item = random.nextBoolean() ? "i2" : random.nextBoolean() ? "i0" : null;
        boolean like = random.nextBoolean();
        Outcome outcome =
            TestEvents.outcome(
                "o" + i + "." + o,
                decision.getDecisionId(),
                item,
                like ? "like" : "seconds",
                like ? 1 : random.nextInt(50),
                at + random.nextInt(2_500_000));
        outcome.setReceivedAtMicros(outcome.getOccurredAtMicros() + random.nextInt(3_000_000));
        events.add(new Event(outcome.getReceivedAtMicros(), null, outcome));
      }
    }
    events.sort(Comparator.comparingLong(Event::atMicros));
  }

  private void play(long delayMicros) throws Exception {
    try (var operator =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(
                new KeepHistory(() -> List.of(SURFACE), Duration.ofDays(30))),
            HistoryUpdate::subjectKey,
            Types.STRING)) {
      operator.open();
      for (Event event : events) {
        Decision decision = event.decision();
        HistoryUpdate update;
        if (decision != null) {
          decision.setHistory(Floats.toBytes(rows(decision, delayMicros), rowsLength()));
          decisions.add(decision);
          shown.put(decision.getDecisionId(), Shown.by(decision));
          update = rule.shown(decision).orElseThrow();
        } else {
          Shown of = Objects.requireNonNull(shown.get(event.outcome().getDecisionId()));
          List<Observed> all = observed.computeIfAbsent(of.decisionId(), d -> new ArrayList<>());
          all.add(attribution.observe(of, event.outcome()));
          update = rule.happened(of, attribution.attribute(all).signals());
        }
        operator.processElement(update, 0);
        RedisValue value = last(operator.extractOutputValues());
        told.computeIfAbsent(value.key(), k -> new ArrayList<>())
            .add(new Told(event.atMicros(), value.value()));
      }
    }
  }

  private static <T> T last(List<T> all) {
    return all.get(all.size() - 1);
  }

  static int rowsLength() {
    return LAYOUT.historyLength() * LAYOUT.historyWidth();
  }

  /** As serving finds them. */
  private float[] rows(Decision decision, long delayMicros) {
    float[] rows = new float[rowsLength()];
    long now = decision.getDecidedAtMicros();
    for (Told each : told.getOrDefault(key(decision), List.of())) {
      if (each.atMicros() + delayMicros <= now) {
        SubjectHistory.encode(
            each.value(),
            LAYOUT,
            now,
            (reference, target, offset) -> {
              target[offset] = ItemReference.is(reference, "i2") ? 2 : 0;
              target[offset + 1] = 1;
              return true;
            },
            rows,
            0);
      }
    }
    return rows;
  }

  private static String key(Decision decision) {
    return SubjectHistory.redisKey("clips", decision.getSubjectId());
  }

  /** What the operator told last, by key. */
  Map<String, byte[]> latest() {
    Map<String, byte[]> latest = new HashMap<>();
    told.forEach((key, values) -> latest.put(key, last(values).value()));
    return latest;
  }

  List<Decision> decisions() {
    return decisions;
  }

  /** Writes all transitions. */
  void archive(Path root) throws Exception {
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(root, "recorded")) {
      for (Decision decision : decisions) {
        Attributed attributed =
            attribution.attribute(observed.getOrDefault(decision.getDecisionId(), List.of()));
        writer.write(
            Transition.newBuilder()
                .setDecision(decision)
                .setSignals(attributed.signals())
                .setOutcomeCount(attributed.outcomeCount())
                .setOutsideWindow(attributed.outsideWindow())
                .setOutcomes(attributed.outcomes())
                .setSessionId(decision.getDecisionId())
                .setStep(0)
                .setTerminated(false)
                .setTruncated(true)
                .setJoinedAtMicros(decision.getDecidedAtMicros() + 9_000_000)
                .build());
      }
    }
  }
}
