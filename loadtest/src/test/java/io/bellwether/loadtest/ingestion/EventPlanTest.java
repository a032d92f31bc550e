package io.bellwether.loadtest.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EventPlanTest {

  private static final long START = 1_790_000_000_000_000L;
  private static final EventPlan PLAN = new EventPlan(4_000, 400, 1_000, 100, START, 5);

  @Test
  void everyDecisionComesOnceAndEveryOutcomeAtLeastOnce() throws Exception {
    PlannedEvents events = new PlannedEvents(PLAN);
    EventCodec<Decision> decisions = EventCodec.of(Decision.class);
    EventCodec<Outcome> outcomes = EventCodec.of(Outcome.class);
    Map<String, Integer> seen = new HashMap<>();
    int late = 0;
    for (long place = 0; place < PLAN.records(); place++) {
      EventPlan.Planned planned = PLAN.at(place);
      Received record = events.at(place);
      byte[] value = Objects.requireNonNull(record.value());
      if (record.topic().equals(Topics.DECISIONS)) {
        Decision decision = decisions.decode(value);
        assertEquals(EventBytes.id('d', planned.decision()), decision.getDecisionId());
        assertEquals(PLAN.decidedAtMicros(planned.decision()), decision.getDecidedAtMicros());
        seen.merge(decision.getDecisionId(), 1, Integer::sum);
      } else {
        Outcome outcome = outcomes.decode(value);
        assertEquals(PLAN.outcome(planned), outcome);
        seen.merge(outcome.getOutcomeId(), 1, Integer::sum);
        late += planned.late() ? 1 : 0;
      }
    }
    for (long i = 0; i < PLAN.decisions(); i++) {
      assertEquals(1, seen.remove(EventBytes.id('d', i)));
    }
    assertEquals(PLAN.decisions() * EventPlan.OUTCOMES, seen.size());
    assertEquals(PLAN.decisions() * EventPlan.OUTCOMES / 10, late);
    assertTrue(seen.values().stream().anyMatch(times -> times > 1));
  }

  @Test
  void theStreamIsShuffledAndFollowsFromItsSeed() {
    EventPlan other = new EventPlan(4_000, 400, 1_000, 100, START, 6);
    assertEquals(PLAN.at(17), new EventPlan(4_000, 400, 1_000, 100, START, 5).at(17));
    assertNotEquals(PLAN.at(17), other.at(17));
    long backwards = 0;
    for (long place = 1; place < 400; place++) {
      backwards += PLAN.at(place).decision() < PLAN.at(place - 1).decision() ? 1 : 0;
    }
    assertTrue(backwards > 40, backwards + " of 400 steps go back in time");
  }

  @Test
  void partsOfBlocksAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new EventPlan(4_001, 400, 1_000, 0, START, 5));
    assertThrows(IllegalArgumentException.class, () -> new EventPlan(45, 45, 1_000, 0, START, 5));
  }
}
