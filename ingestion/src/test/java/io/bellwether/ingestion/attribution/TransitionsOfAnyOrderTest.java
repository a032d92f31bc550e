package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.LinkSessions;
import io.bellwether.ingestion.session.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/**
 * The operators of the job in a row, with restarts. Whatever the order in which the same events
 * come, how often, and how far event time is by then (short of leaving somebody behind by more than
 * the patience), the transitions that count in the end are the same to the byte.
 */
class TransitionsOfAnyOrderTest {

  private static final Retention RETENTION = new Retention(Duration.ofSeconds(60));
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long OVER = 400_000;
  private static final EventCodec<Decision> DECISIONS = EventCodec.of(Decision.class);
  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);

  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void theOrderOfArrivalNeverChangesTheFinalTransitions(@ForAll long seed) throws Exception {
    RandomEvents events = RandomEvents.of(seed).withCarelessSenders(seed);
    Map<String, Transition> expected =
        new SlowJoin(RandomEvents.SURFACE, RETENTION).join(events.decisions(), events.outcomes());

    try (Operators first = new Operators();
        Operators second = new Operators()) {
      first.runAll(arrivals(events, new Random(seed)), new Random(seed + 1));
      second.runAll(arrivals(events, new Random(seed + 2)), new Random(seed + 3));

      for (Operators each : List.of(first, second)) {
        Map<String, String> normal = new TreeMap<>();
        each.newest.forEach((id, transition) -> normal.put(id, SlowJoin.normal(transition)));
        Map<String, String> right = new TreeMap<>();
        expected.forEach((id, transition) -> right.put(id, SlowJoin.normal(transition)));
        if (!right.equals(normal)) {
          assertEquals(expected.toString(), new TreeMap<>(each.newest).toString());
        }
        assertEquals(right, normal);
      }
      assertEquals(first.refused, second.refused);
      assertTrue(first.refused.stream().anyMatch(letter -> letter.startsWith("unknown-decision")));
    }
  }

  /** All events, some of them several times, in any order. */
  private static List<Event> arrivals(RandomEvents events, Random random) {
    List<Event> arrivals = new ArrayList<>();
    for (Decision decision : events.decisions()) {
      byte[] value = DECISIONS.encode(decision);
      Event event =
          event(Topics.DECISIONS, decision.getDecisionId(), decision.getDecidedAtMicros(), value);
      arrivals.addAll(Collections.nCopies(1 + random.nextInt(2), event));
    }
    for (Outcome outcome : events.outcomes()) {
      byte[] value = OUTCOMES.encode(outcome);
      Event event =
          event(Topics.OUTCOMES, outcome.getDecisionId(), outcome.getReceivedAtMicros(), value);
      arrivals.addAll(Collections.nCopies(1 + random.nextInt(2), event));
    }
    if (random.nextInt(3) > 0) {
      // Roughly in the order of time, so that event time can go on in between.
      Map<Event, Long> place = new IdentityHashMap<>();
      Collections.shuffle(arrivals, random);
      arrivals.forEach(
          e -> place.put(e, e.progressMillis() + random.nextInt((int) PATIENCE.toMillis())));
      arrivals.sort(Comparator.comparing(place::get));
    } else {
      Collections.shuffle(arrivals, random);
    }
    return arrivals;
  }

  private static Event event(String topic, String decisionId, long micros, byte[] value) {
    long millis = micros / 1000;
    return new Event(decisionId, millis, new Received(topic, 0, 0, millis, null, value));
  }

  private static final class Operators implements AutoCloseable {
    private final Map<String, Transition> newest = new TreeMap<>();
    private final Set<String> refused = new HashSet<>();
    private KeyedOneInputStreamOperatorTestHarness<String, Event, JoinedDecision> attribute =
        attribute();
    private KeyedOneInputStreamOperatorTestHarness<String, JoinedDecision, Transition> link =
        link();
    private long watermark = 90_000;

    Operators() throws Exception {
      attribute.open();
      link.open();
    }

    void runAll(List<Event> arrivals, Random random) throws Exception {
      long[] furthestBehind = new long[arrivals.size() + 1];
      furthestBehind[arrivals.size()] = OVER;
      for (int i = arrivals.size() - 1; i >= 0; i--) {
        furthestBehind[i] = Math.min(furthestBehind[i + 1], arrivals.get(i).progressMillis());
      }
      for (int i = 0; i < arrivals.size(); i++) {
        attribute.processElement(arrivals.get(i), arrivals.get(i).progressMillis());
        if (random.nextInt(3) == 0) {
          long most = furthestBehind[i + 1] + PATIENCE.toMillis() - 1;
          advance(watermark + (long) (random.nextDouble() * Math.max(0, most - watermark)));
        }
        if (random.nextInt(40) == 0) {
          restart();
        }
      }
      advance(OVER);
      assertEquals(0, attribute.numKeyedStateEntries());
      assertEquals(0, link.numKeyedStateEntries());
    }

    private void advance(long time) throws Exception {
      watermark = time;
      attribute.processWatermark(time);
      for (JoinedDecision joined : attribute.extractOutputValues()) {
        link.processElement(joined, 0);
      }
      attribute.getOutput().clear();
      var letters = attribute.getSideOutput(AttributeOutcomes.REFUSED);
      if (letters != null) {
        for (StreamRecord<DeadLetter> letter : letters) {
          DeadLetter refusal = letter.getValue();
          refused.add(refusal.reason() + HexFormat.of().formatHex(refusal.record().value()));
        }
        letters.clear();
      }
      link.processWatermark(time);
      for (Transition transition : link.extractOutputValues()) {
        Transition before = newest.put(transition.getDecision().getDecisionId(), transition);
        assertEquals(before == null ? 0 : before.getRevision() + 1, transition.getRevision());
      }
      link.getOutput().clear();
    }

    private void restart() throws Exception {
      advance(watermark);
      OperatorSubtaskState attributed = attribute.snapshot(1, 1);
      OperatorSubtaskState linked = link.snapshot(1, 1);
      close();
      attribute = attribute();
      attribute.initializeState(attributed);
      attribute.open();
      link = link();
      link.initializeState(linked);
      link.open();
    }

    @Override
    public void close() throws Exception {
      attribute.close();
      link.close();
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, Event, JoinedDecision> attribute()
        throws Exception {
      AttributeOutcomes operator =
          new AttributeOutcomes(() -> List.of(RandomEvents.SURFACE), RETENTION, PATIENCE);
      return new KeyedOneInputStreamOperatorTestHarness<>(
          new KeyedProcessOperator<>(operator), Event::decisionId, Types.STRING);
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, JoinedDecision, Transition> link()
        throws Exception {
      LinkSessions operator =
          new LinkSessions(() -> List.of(RandomEvents.SURFACE), RETENTION, PATIENCE);
      return new KeyedOneInputStreamOperatorTestHarness<>(
          new KeyedProcessOperator<>(operator), JoinedDecision::subjectKey, Types.STRING);
    }
  }
}
