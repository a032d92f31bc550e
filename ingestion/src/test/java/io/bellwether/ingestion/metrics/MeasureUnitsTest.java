package io.bellwether.ingestion.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One subject on a surface whose longest window is two seconds, by the day 2025-11-30. */
class MeasureUnitsTest {

  private static final long AT = 1_764_500_000_000_000L;
  private static final String POOL_A = "ab/1/a/2025-11-30";
  private static final String POOL_B = "ab/1/b/2025-11-30";

  private final Map<String, Pool> pools = new TreeMap<>();
  private Surface surface = TestEvents.surface();
  private KeyedTwoInputStreamOperatorTestHarness<String, Exposure, DecisionValues, NumbersChange>
      harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness();
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void anExposureCountsOnceAfterItsDecisionWasLetGoToo() throws Exception {
    value("d", AT, "seconds", 3);
    expose("d", "a", AT);
    releaseAll();
    expose("d", "a", AT);
    value("d", AT);

    assertEquals(1, numbers(POOL_A).getExposures());
    assertEquals(1, sum(POOL_A, "decisions"));
    assertEquals(3, sum(POOL_A, "seconds"));
  }

  @Test
  void aDecisionThatIsActivatedAfterItWasLetGoCountsWithItsValues() throws Exception {
    value("d", AT, "seconds", 3);
    releaseAll();
    expose("d", "a", AT);

    assertEquals(3, sum(POOL_A, "seconds"));
  }

  @Test
  void aUnitThatMeetsAnotherVariantIsTakenOutAndCounted() throws Exception {
    expose("d", "b", AT);
    value("d", AT, "seconds", 3);
    expose("e", "a", AT + 1);

    assertEquals(0, numbers(POOL_B).getUnits());
    assertEquals(0, sum(POOL_B, "seconds"));
    assertEquals(0, numbers(POOL_A).getUnits());
    assertEquals(1, numbers(POOL_A).getCrossovers());
    assertEquals(0, numbers(POOL_B).getCrossovers());
    assertEquals(1, numbers(POOL_B).getExposures());
  }

  @Test
  void whatIsKnownBeforeHadItsWindowsOverBefore() throws Exception {
    value("over", AT - 2_000_001, "seconds", 5);
    value("open", AT - 2_000_000, "seconds", 7);
    value("too-old", AT - 12_000_001, "seconds", 11);
    expose("d", "a", AT);
    value("late", AT - 5_000_000, "seconds", 13);

    assertEquals(2, sum(POOL_A, "pre:decisions"));
    assertEquals(18, sum(POOL_A, "pre:seconds"));
  }

  @Test
  void aNewSignalStartsAtNothingAndTheOthersGoOn() throws Exception {
    value("d", AT, "seconds", 3);
    expose("d", "a", AT);
    collect();
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    surface = withSignalFirst();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    value("e", AT + 1, "seconds", 4);
    expose("e", "a", AT + 1);

    assertEquals(1, numbers(POOL_A).getUnits());
    assertEquals(7, sum(POOL_A, "seconds"));
    assertEquals(0, sum(POOL_A, "applause"));
    numbers(POOL_A)
        .getDistributions()
        .forEach(buckets -> assertEquals(List.of(1L), buckets.getCounts(), buckets.getColumn()));
  }

  @Test
  void nothingIsKeptOfASubjectThatIsNotSeenAnyMore() throws Exception {
    value("d", AT, "seconds", 3);
    expose("d", "a", AT);
    releaseAll();
    watermark(AT / 1000 + Duration.ofDays(32).toMillis());

    assertEquals(0, harness.numKeyedStateEntries());
    assertEquals(0, harness.numEventTimeTimers());
  }

  @Test
  void onlyTheNewestDecisionsArePartOfThePast() throws Exception {
    for (int i = 0; i < 150; i++) {
      value("d" + i, AT - 8_000_000 + i, "seconds", 1);
    }
    expose("d", "a", AT);

    assertEquals(99, sum(POOL_A, "pre:decisions"));
  }

  @Test
  void ofADecisionThatIsInNoExperimentOnlyThePastIsKept() throws Exception {
    unassigned("before", AT - 5_000_000, 3);
    int timers = harness.numEventTimeTimers();
    unassigned("other", AT - 4_000_000, 4);
    unassigned("other", AT - 4_000_000, 5);
    assertEquals(timers, harness.numEventTimeTimers());
    expose("d", "a", AT);
    unassigned("before", AT - 5_000_000, 6);

    assertEquals(2, sum(POOL_A, "pre:decisions"));
    assertEquals(11, sum(POOL_A, "pre:seconds"));
    assertEquals(1, sum(POOL_A, "decisions"));
    assertEquals(0, sum(POOL_A, "seconds"));
  }

  @Test
  void aCopyOfADecisionThatWasLetGoTakesNothingBack() throws Exception {
    unassigned("before", AT - 5_000_000, 3);
    releaseAll();
    send("before", false, AT - 5_000_000, List.of());
    expose("d", "a", AT);

    assertEquals(3, sum(POOL_A, "pre:seconds"));
  }

  private void unassigned(String decision, long at, double seconds) throws Exception {
    send(decision, false, at, List.of(new SignalValue("seconds", 0, seconds, 1)));
  }

  private void releaseAll() throws Exception {
    watermark(AT / 1000 + Duration.ofMinutes(3).toMillis());
  }

  private void watermark(long millis) throws Exception {
    harness.processWatermark1(new Watermark(millis));
    harness.processWatermark2(new Watermark(millis));
  }

  private void expose(String decision, String variant, long at) throws Exception {
    harness.processElement1(
        TestEvents.exposure(decision, "s", "ab", 1, variant, at)
            .setPreperiodMicros(10_000_000)
            .build(),
        0);
  }

  private void value(String decision, long at) throws Exception {
    send(decision, true, at, List.of());
  }

  private void value(String decision, long at, String signal, double value) throws Exception {
    send(decision, true, at, List.of(new SignalValue(signal, 0, value, 1)));
  }

  private void send(String decision, boolean assigned, long at, List<SignalValue> values)
      throws Exception {
    List<String> signals = surface.signals().stream().map(Signal::name).toList();
    harness.processElement2(
        DecisionValues.of("clips", "s", decision, assigned, at, at, values, signals), 0);
  }

  private double sum(String pool, String column) {
    VariantNumbers numbers = numbers(pool);
    return numbers.getSums().get(numbers.getColumns().indexOf(column));
  }

  private VariantNumbers numbers(String pool) {
    collect();
    return Objects.requireNonNull(pools.get(pool), pool).numbers(0);
  }

  private void collect() {
    UnitColumns layout = UnitColumns.of(surface);
    for (NumbersChange change : harness.extractOutputValues()) {
      Pool pool = pools.computeIfAbsent(change.key(), key -> Pool.of(change, layout));
      pool.relay(layout);
      pool.apply(change, layout);
    }
    harness.getOutput().clear();
  }

  private static Surface withSignalFirst() throws Exception {
    String yaml =
        TestEvents.SURFACE_YAML.replace(
            "signals:\n", "signals:\n  - { name: applause, type: flag, window: 1s }\n");
    return new SurfaceReader().parse("clips.yaml", yaml.getBytes(StandardCharsets.UTF_8));
  }

  private KeyedTwoInputStreamOperatorTestHarness<String, Exposure, DecisionValues, NumbersChange>
      harness() throws Exception {
    Surface declared = surface;
    MeasureUnits operator =
        new MeasureUnits(
            () -> List.of(declared),
            new Retention(Duration.ofSeconds(60)),
            MetricsSettings.defaults());
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(operator),
        exposure -> exposure.getSurface() + "/" + exposure.getSubjectId(),
        DecisionValues::subjectKey,
        Types.STRING);
  }
}
