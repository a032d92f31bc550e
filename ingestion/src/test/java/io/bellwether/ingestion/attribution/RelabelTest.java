package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

class RelabelTest {

  private static final long DECIDED_AT = 100_000_000;
  private static final Retention RETENTION = new Retention(Duration.ofSeconds(60));

  private static final Surface OTHER =
      RandomEvents.parse(
          TestEvents.SURFACE_YAML
              .replace(
                  "name: seconds, type: number, min: 0, max: 100, window: 2s",
                  "name: seconds, type: number, min: 0, max: 20, window: 1s, aggregate: max")
              .replace("  - { name: first,", "  - { name: brief,")
              .replace("aggregate: last", "aggregate: first")
              .replace("name: like, type: flag, window: 1s", "name: like, type: flag, window: 3s")
              .replace(
                  "objective:",
                  "  - { name: bored, type: flag, silence-of: [like, last] }\nobjective:"));

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void underItsOwnDeclarationATransitionIsTheSameToTheByte(@ForAll long seed) {
    Relabel same = Relabel.under(RandomEvents.SURFACE);

    for (Transition transition : joined(RandomEvents.SURFACE, seed).values()) {
      assertEquals(SlowJoin.normal(transition), SlowJoin.normal(same.relabel(transition)));
      assertTrue(same.knows(transition));
    }
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void historyUnderAnotherDeclarationSaysWhatItWouldHaveSaidFromTheStart(@ForAll long seed) {
    // An outcome that the first declaration refused is not in the history.
    RandomEvents events = acceptedByAll(RandomEvents.of(seed));
    Map<String, Transition> first = join(RandomEvents.SURFACE, events);
    Map<String, Transition> expected = join(OTHER, events);
    Relabel other = Relabel.under(OTHER);

    first.forEach(
        (id, transition) -> {
          Transition now = other.relabel(transition);
          Transition then = at(expected, id);
          assertEquals(then.getSignals(), now.getSignals());
          assertEquals(then.getOutcomeCount(), now.getOutcomeCount());
          assertEquals(then.getOutsideWindow(), now.getOutsideWindow());
          assertEquals(transition.getSessionId(), now.getSessionId());
          assertEquals(transition.getTerminated(), now.getTerminated());
          assertEquals(transition.getOutcomes(), now.getOutcomes());
        });
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void asOfATimeHistorySaysWhatWasKnownThen(@ForAll long seed) {
    RandomEvents events = RandomEvents.of(seed);
    long time = 100_000_000 + Math.floorMod(seed, 60_000_000L);
    RandomEvents before =
        new RandomEvents(
            events.decisions(),
            events.outcomes().stream().filter(o -> o.getReceivedAtMicros() <= time).toList());
    Map<String, Transition> then = join(RandomEvents.SURFACE, before);
    Relabel asOf = Relabel.under(RandomEvents.SURFACE).asOf(Instant.EPOCH.plusNanos(time * 1_000));

    join(RandomEvents.SURFACE, events)
        .forEach(
            (id, transition) -> {
              Transition now = asOf.relabel(transition);
              Transition expected = at(then, id);
              assertEquals(expected.getSignals(), now.getSignals());
              assertEquals(expected.getOutcomes(), now.getOutcomes());
              assertEquals(expected.getOutcomeCount(), now.getOutcomeCount());
              assertEquals(expected.getJoinedAtMicros(), now.getJoinedAtMicros());
              assertEquals(expected.getTerminated(), now.getTerminated());
              assertEquals(
                  transition.getDecision().getDecidedAtMicros() + 5_001_000 <= time,
                  asOf.knows(transition));
            });
  }

  @Test
  void anEndThatWasNotKnownYetIsATruncation() throws Exception {
    Transition ended = transition(TestEvents.outcome("o", "d", null, "leave", 1, DECIDED_AT));
    assertTrue(ended.getTerminated());
    Relabel relabel = Relabel.under(RandomEvents.SURFACE);

    Transition before = relabel.asOf(Instant.ofEpochMilli(100_009)).relabel(ended);
    assertFalse(before.getTerminated());
    assertTrue(before.getTruncated());
    assertEquals(ended, relabel.asOf(Instant.ofEpochMilli(100_010)).relabel(ended));
  }

  @Test
  void aTransitionFromBeforeOutcomesWereKeptStaysAsItIs() {
    Transition old = transition(TestEvents.outcome("o", "d", null, "like", 1, DECIDED_AT));
    old.setOutcomes(List.of());

    assertFalse(Relabel.keepsOutcomes(old));
    assertSame(old, Relabel.under(OTHER).relabel(old));
  }

  @Test
  void aTransitionWithoutOutcomesIsRelabelledToo() {
    Transition quiet = transition();

    assertTrue(Relabel.keepsOutcomes(quiet));
    assertEquals(
        List.of(new SignalValue("bored", 0, 1.0, 0), new SignalValue("bored", 1, 1.0, 0)),
        Relabel.under(OTHER).relabel(quiet).getSignals());
  }

  @Test
  void anOutcomeWhoseSignalIsGoneOrTakesOtherValuesDoesNotCount() {
    Transition transition =
        transition(
            TestEvents.outcome("o1", "d", "i2", "seconds", 50, DECIDED_AT),
            TestEvents.outcome("o2", "d", "i2", "first", 5, DECIDED_AT),
            TestEvents.outcome("o3", "d", "i2", "last", 5, DECIDED_AT));
    Transition now = Relabel.under(OTHER).relabel(transition);

    assertEquals(1, now.getOutcomeCount());
    assertEquals(3, now.getOutcomes().size());
    assertEquals(
        List.of(new SignalValue("bored", 1, 1.0, 0), new SignalValue("last", 0, 5.0, 1)),
        now.getSignals());
  }

  private static Transition transition(Outcome... outcomes) {
    Decision decision = TestEvents.decision("d", "s", DECIDED_AT);
    return at(
        join(RandomEvents.SURFACE, new RandomEvents(List.of(decision), List.of(outcomes))), "d");
  }

  private static RandomEvents acceptedByAll(RandomEvents events) {
    return new RandomEvents(
        events.decisions(),
        events.outcomes().stream()
            .filter(
                o -> RandomEvents.SURFACE.signal(o.getSignal()).orElseThrow().accepts(o.getValue()))
            // Which of them come in time depends on the longest window.
            .filter(o -> o.getReceivedAtMicros() - o.getOccurredAtMicros() < 50_000_000)
            .toList());
  }

  private static Map<String, Transition> joined(Surface surface, long seed) {
    return join(surface, RandomEvents.of(seed));
  }

  private static Map<String, Transition> join(Surface surface, RandomEvents events) {
    return new SlowJoin(surface, RETENTION).join(events.decisions(), events.outcomes());
  }

  private static Transition at(Map<String, Transition> map, String id) {
    return Objects.requireNonNull(map.get(id), id);
  }
}
