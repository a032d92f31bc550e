package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttributionTest {

  private static final long DECIDED_AT = 1_764_460_800_000_000L;
  private static final Attribution ATTRIBUTION = new Attribution(TestEvents.surface());
  private static final Shown SHOWN = Shown.by(TestEvents.decision("d", "s", DECIDED_AT));

  @Property
  void theOrderOfOutcomesAndDuplicatesDoNotMatter(
      @ForAll("outcomes") List<Observed> outcomes, @ForAll long seed) {
    List<Observed> shuffled = new ArrayList<>(outcomes);
    shuffled.addAll(outcomes.subList(0, outcomes.size() / 2));
    Collections.shuffle(shuffled, new Random(seed));

    assertEquals(ATTRIBUTION.attribute(outcomes), ATTRIBUTION.attribute(shuffled));
  }

  @Property
  void everyDistinctOutcomeIsCountedOnce(@ForAll("outcomes") List<Observed> outcomes) {
    Attributed attributed = ATTRIBUTION.attribute(outcomes);

    long distinct = outcomes.stream().map(Observed::outcomeId).distinct().count();
    assertEquals(distinct, attributed.outcomeCount() + attributed.outsideWindow());
    int inSignals = attributed.signals().stream().mapToInt(SignalValue::getOutcomes).sum();
    assertEquals(attributed.outcomeCount(), inSignals);
  }

  /** Few ids, so that one id often stands for two different outcomes, as careless senders do. */
  @Provide
  Arbitrary<List<Observed>> outcomes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 12),
            Arbitraries.of("seconds", "like", "first", "last"),
            Arbitraries.integers().between(-1, 1),
            Arbitraries.doubles().between(0, 100),
            Arbitraries.longs().between(0, 5),
            Arbitraries.of(true, false))
        .as(
            (id, signal, position, value, at, inside) ->
                new Observed(
                    "o" + id,
                    signal,
                    position,
                    value,
                    DECIDED_AT + at,
                    inside,
                    DECIDED_AT + 10 + at))
        .list()
        .ofMaxSize(30);
  }

  @Test
  void eachSignalIsAggregatedAsDeclared() throws Exception {
    List<Observed> outcomes =
        List.of(
            observe("a", "i2", "seconds", 3, 10),
            observe("b", "i2", "seconds", 4, 20),
            observe("c", "i2", "first", 7, 30),
            observe("d", "i2", "first", 9, 20),
            observe("e", "i2", "last", 7, 30),
            observe("f", "i2", "last", 9, 20),
            observe("g", "i0", "like", 1, 5),
            observe("h", null, "like", 0, 6));

    assertEquals(
        List.of(
            new SignalValue("first", 0, 9.0, 2),
            new SignalValue("last", 0, 7.0, 2),
            new SignalValue("like", -1, 0.0, 1),
            new SignalValue("like", 1, 1.0, 1),
            new SignalValue("seconds", 0, 7.0, 2)),
        ATTRIBUTION.attribute(outcomes).signals());
  }

  @Test
  void anOutcomeAtTheSameInstantAsItsDecisionCounts() throws Exception {
    assertTrue(observe("a", "i2", "like", 1, 0).inside());
  }

  @Test
  void anOutcomeCountsUntilTheEndOfItsOwnSignalsWindow() throws Exception {
    assertTrue(observe("a", "i2", "like", 1, 1_000_000).inside());
    assertFalse(observe("a", "i2", "like", 1, 1_000_001).inside());
    assertTrue(observe("a", "i2", "seconds", 1, 2_000_000).inside());
  }

  @Test
  void anOutcomeMayBeAClockSkewEarlierThanItsDecisionAndNoMore() throws Exception {
    assertTrue(observe("a", "i2", "like", 1, -1_000_000).inside());
    assertFalse(observe("a", "i2", "like", 1, -1_000_001).inside());
  }

  @Test
  void anItemThatWasNotShownIsDangling() {
    assertEquals(Reason.DANGLING_ITEM, refusal("i1", "like", 1));
  }

  @Test
  void aSignalOrValueThatIsNotDeclaredIsOutOfRange() {
    assertEquals(Reason.VALUE_OUT_OF_RANGE, refusal("i2", "applause", 1));
    assertEquals(Reason.VALUE_OUT_OF_RANGE, refusal("i2", "seconds", 100.5));
    assertEquals(Reason.VALUE_OUT_OF_RANGE, refusal("i2", "seconds", Double.NaN));
    assertEquals(Reason.VALUE_OUT_OF_RANGE, refusal("i2", "like", 0.5));
  }

  @Test
  void negativeZeroIsZero() throws Exception {
    assertEquals(observe("a", "i2", "seconds", 0.0, 0), observe("a", "i2", "seconds", -0.0, 0));
  }

  private static Observed observe(
      String id, @Nullable String item, String signal, double value, long afterMicros)
      throws RefusedException {
    Outcome outcome = TestEvents.outcome(id, "d", item, signal, value, DECIDED_AT + afterMicros);
    return ATTRIBUTION.observe(SHOWN, outcome);
  }

  private static Reason refusal(String item, String signal, double value) {
    return assertThrows(RefusedException.class, () -> observe("a", item, signal, value, 0))
        .reason();
  }
}
