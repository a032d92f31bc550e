package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.surface.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/** Whatever order events come in, and however often, the numbers are those of their definition. */
class NumbersOfAnyOrderTest {

  private static final long MIDNIGHT = 1_764_460_800_000_000L;
  private static final int SUBJECTS = 5;
  private static final List<String> SIGNALS =
      TestEvents.surface().signals().stream().map(Signal::name).toList();

  private final ExpectedNumbers expected = new ExpectedNumbers(TestEvents.surface());
  private final UnitColumns columns = UnitColumns.of(TestEvents.surface());
  private final UnitColumns interleaved = UnitColumns.interleaved(TestEvents.surface());
  private final Map<String, Pool> pools = new HashMap<>();
  private final List<List<Object>> streams = new ArrayList<>();

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void theNumbersAreThoseOfTheirDefinition(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    NumbersOfAnyOrderTest fresh = new NumbersOfAnyOrderTest();
    fresh.makeEvents(random);
    fresh.run(random);
    fresh.check();
  }

  private void check() {
    Map<String, VariantNumbers> numbers = new HashMap<>();
    pools.forEach((key, pool) -> numbers.put(key, pool.numbers(0)));
    expected.assertAre(numbers);
  }

  private void run(Random random) throws Exception {
    KeyedTwoInputStreamOperatorTestHarness<String, Exposure, DecisionValues, NumbersChange>
        harness = harness();
    harness.open();
    int events = streams.stream().mapToInt(List::size).sum();
    int restart = random.nextInt(events);
    for (int event = 0; event < events; event++) {
      if (event == restart) {
        OperatorSubtaskState state = harness.snapshot(1, 1);
        collect(harness);
        harness.close();
        harness = harness();
        harness.initializeState(state);
        harness.open();
      }
      List<Object> stream = streams.get(random.nextInt(streams.size()));
      Object next = stream.remove(0);
      if (stream.isEmpty()) {
        streams.remove(stream);
      }
      if (next instanceof Exposure exposure) {
        harness.processElement1(exposure, 0);
      } else {
        harness.processElement2((DecisionValues) next, 0);
      }
    }
    collect(harness);
    harness.close();
  }

  private void collect(
      KeyedTwoInputStreamOperatorTestHarness<String, Exposure, DecisionValues, NumbersChange>
          harness) {
    for (NumbersChange change : harness.extractOutputValues()) {
      UnitColumns layout = change.interleaved() ? interleaved : columns;
      pools.computeIfAbsent(change.key(), key -> Pool.of(change, layout)).apply(change, layout);
    }
  }

  /** A stream is what comes in its own order; streams come in any. */
  private void makeEvents(Random random) {
    for (int i = 0; i < 8 * SUBJECTS; i++) {
      String subject = "s" + i % SUBJECTS;
      long at = MIDNIGHT - 60_000_000 + (long) (random.nextDouble() * 100_000_000);
      String id = "d" + i;
      boolean assigned = random.nextInt(3) > 0;
      streams.add(values(random, id, subject, assigned, at));
      if (assigned) {
        for (Exposure exposure : exposures(random, id, subject, at)) {
          expected.exposed(exposure);
          for (int copy = random.nextInt(4) == 0 ? 2 : 1; copy > 0; copy--) {
            streams.add(new ArrayList<>(List.of(exposure)));
          }
        }
      }
    }
  }

  private List<Object> values(Random random, String id, String subject, boolean assigned, long at) {
    List<Object> stream = new ArrayList<>();
    List<SignalValue> observed = new ArrayList<>();
    stream.add(DecisionValues.of("clips", subject, id, assigned, at, at, observed, SIGNALS));
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      String signal = SIGNALS.get(random.nextInt(SIGNALS.size()));
      int position = random.nextInt(3) - 1;
      observed.removeIf(v -> v.getSignal().equals(signal) && v.getPosition() == position);
      observed.add(new SignalValue(signal, position, random.nextInt(50) / 10.0, 1));
      DecisionValues now =
          DecisionValues.of("clips", subject, id, assigned, at, at, observed, SIGNALS);
      stream.add(now);
      if (random.nextInt(4) == 0) {
        stream.add(now);
      }
    }
    expected.decided(new ExpectedNumbers.Done(id, subject, at, List.copyOf(observed)));
    return stream;
  }

  private static List<Exposure> exposures(Random random, String id, String subject, long at) {
    int phase = at < MIDNIGHT - 10_000_000 ? 1 : 2;
    boolean crosses = random.nextInt(10) == 0;
    String variant = (subject.hashCode() % 2 == 0) != crosses ? "a" : "b";
    Exposure.Builder any =
        TestEvents.exposure(id, subject, "ab", phase, variant, at)
            .setExposedAtMicros(at + random.nextInt(1_000_000))
            .setDecisionMicros(random.nextInt(3) * 1_000)
            .setDegraded(random.nextInt(10) == 0 ? "DEADLINE" : null)
            .setForced(random.nextInt(15) == 0)
            .setPreperiodMicros(40_000_000);
    Exposure exposure = any.build();
    List<Exposure> all = new ArrayList<>(List.of(exposure));
    all.add(like(any, "per-request", random.nextBoolean() ? "a" : "b").setUnit(id).build());
    String block = "block-" + Math.floorDiv(at, 20_000_000);
    all.add(like(any, "blocks", "b").setUnit(block).setSlice(block).build());
    List<Integer> teams = random.nextInt(5) == 0 ? List.of(-1, -1) : List.of(1, 0);
    all.add(like(any, "mixed", "interleaved").setTeams(teams).build());
    all.add(
        like(any, "ab", "b")
            .setKind(ExposureKind.SHADOW)
            .setAgreement(0.5)
            .setForced(false)
            .build());
    return all;
  }

  private static Exposure.Builder like(Exposure.Builder any, String experiment, String variant) {
    return Exposure.newBuilder(any)
        .setExperiment(experiment)
        .setVariant(variant)
        .setExposureId(any.getDecisionId() + "/" + experiment + "/" + variant);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, Exposure, DecisionValues, NumbersChange>
      harness() throws Exception {
    MeasureUnits operator =
        new MeasureUnits(
            () -> List.of(TestEvents.surface()),
            new Retention(Duration.ofSeconds(60)),
            MetricsSettings.defaults());
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(operator),
        exposure -> exposure.getSurface() + "/" + exposure.getSubjectId(),
        DecisionValues::subjectKey,
        Types.STRING);
  }
}
