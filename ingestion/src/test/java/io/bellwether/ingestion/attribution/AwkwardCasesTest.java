package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.metrics.DecisionValues;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rules of docs/ingestion.md for what senders and people do out of turn. One decision at second
 * 100, of items i2 and i0; its windows are over at second 102, late outcomes count until 162.
 */
class AwkwardCasesTest {

  private static final long DECIDED_AT = 100_000_000;
  private static final EventCodec<Decision> DECISIONS = EventCodec.of(Decision.class);
  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);

  private KeyedOneInputStreamOperatorTestHarness<String, Event, JoinedDecision> harness;

  @BeforeEach
  void open() throws Exception {
    AttributeOutcomes operator =
        new AttributeOutcomes(
            () -> List.of(RandomEvents.SURFACE),
            new Retention(Duration.ofSeconds(60)),
            Duration.ofSeconds(10));
    harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(operator), Event::decisionId, Types.STRING);
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void allDistinctOutcomesAreKeptAlsoThoseOutsideTheirWindow() throws Exception {
    decide(decision().build());
    happen(outcome("o2", "i0", "like", 1, 1_500_000).build());
    happen(outcome("o1", null, "seconds", 3, 500_000).build());
    harness.processWatermark(102_001);

    assertEquals(List.of(1, 1), List.of(last().outcomeCount(), last().outsideWindow()));
    assertEquals(
        List.of(
            new Observation("o1", "seconds", -1, 3.0, DECIDED_AT + 500_000, DECIDED_AT + 510_000),
            new Observation("o2", "like", 1, 1.0, DECIDED_AT + 1_500_000, DECIDED_AT + 1_510_000)),
        last().outcomes());
  }

  @Test
  void aClientThatSendsAnOutcomeAgainUnderItsIdCausesOne() throws Exception {
    decide(decision().build());
    Outcome sent = outcome("o1", "i2", "seconds", 3, 0).build();
    happen(sent);
    harness.processWatermark(102_001);
    // Serving stamps the copy later; the first one counts, whichever comes first.
    happen(Outcome.newBuilder(sent).setReceivedAtMicros(DECIDED_AT + 4_000_000).build());
    harness.processWatermark(105_000);

    assertEquals(2, results().size());
    assertEquals(DECIDED_AT + 10_000, last().outcomes().get(0).getReceivedAtMicros());
  }

  @Test
  void ofTwoOutcomesThatShareAnIdTheEarlierCounts() throws Exception {
    decide(decision().build());
    happen(outcome("o1", "i2", "seconds", 3, 200).build());
    happen(outcome("o1", "i0", "seconds", 5, 100).build());
    harness.processWatermark(102_001);

    assertEquals(List.of(new SignalValue("seconds", 1, 5.0, 1)), seconds());
  }

  @Test
  void aDecisionThatIsShownLaterIsJoinedThenAndItsWindowsBeginWhenItWasMade() throws Exception {
    // It is logged when it is activated; until then an outcome waits for it.
    happen(outcome("o1", "i2", "seconds", 3, 1_000_000).build());
    harness.processWatermark(101_000);
    decide(decision().setActivation("DEFERRED").build());
    happen(outcome("o2", "i2", "seconds", 4, 2_000_001).build());
    harness.processWatermark(102_001);

    assertEquals(List.of(new SignalValue("seconds", 0, 3.0, 1)), seconds());
    assertEquals(1, last().outsideWindow());
  }

  @Test
  void aDecisionThatIsNeverShownHasNoTransitionAndItsOutcomesAreDeadLetters() throws Exception {
    happen(outcome("o1", "i2", "seconds", 3, 1_000_000).build());
    harness.processWatermark(200_000);

    assertEquals(List.of(), results());
    assertEquals("unknown-decision", side(AttributeOutcomes.REFUSED).get(0).reason());
    assertEquals(0, harness.numKeyedStateEntries());
  }

  @Test
  void whetherALateOutcomeCountsGoesByWhenItWasReceivedNotByEventTime() throws Exception {
    decide(decision().build());
    happen(received(outcome("o1", "i2", "seconds", 3, 0), 162_001));
    happen(received(outcome("o2", "i2", "seconds", 5, 0), 162_002));
    assertEquals("unknown-decision", side(AttributeOutcomes.REFUSED).get(0).reason());

    harness.processWatermark(162_001 + 9_999);
    happen(received(outcome("o3", "i2", "seconds", 7, 0), 162_001));
    harness.processWatermark(162_001 + 10_000);
    assertEquals(List.of(new SignalValue("seconds", 0, 10.0, 2)), seconds());
    assertEquals(1, side(AttributeOutcomes.REFUSED).size());
  }

  @Test
  void silenceIsOneForEachShownItemWithoutAReactionWhenAllWindowsAreOver() throws Exception {
    decide(decision().build());
    happen(outcome("o1", "i0", "like", 1, 0).build());
    harness.processWatermark(102_001);

    assertEquals(
        List.of(new SignalValue("ignored", 0, 1.0, 0), new SignalValue("like", 1, 1.0, 1)),
        last().signals());
    assertEquals(1, last().outcomeCount());
  }

  @Test
  void aLateReactionBreaksTheSilenceAndOneOutsideItsWindowDoesNot() throws Exception {
    decide(decision().build());
    happen(outcome("o1", "i2", "like", 1, 1_000_001).build());
    harness.processWatermark(102_001);
    assertEquals(2, ignored().size());

    happen(received(outcome("o2", "i2", "like", 1, 0), 110_000));
    harness.processWatermark(110_000);
    assertEquals(List.of(new SignalValue("ignored", 1, 1.0, 0)), ignored());
  }

  @Test
  void aReactionToTheSlateBreaksTheSilenceOfAllItemsAndAZeroOfNone() throws Exception {
    decide(decision().build());
    happen(outcome("o1", "i2", "like", 0, 0).build());
    harness.processWatermark(102_001);
    assertEquals(2, ignored().size());

    happen(outcome("o2", null, "seconds", 1, 0).build());
    harness.processWatermark(103_000);
    assertEquals(List.of(), ignored());
  }

  @Test
  void silenceIsNotSent() throws Exception {
    decide(decision().build());
    happen(outcome("o1", "i2", "ignored", 1, 0).build());

    assertEquals("value-out-of-range", side(AttributeOutcomes.REFUSED).get(0).reason());
  }

  @Test
  void experimentsHearOfSilenceWhenAllWindowsAreOver() throws Exception {
    decide(decision().setAssignment(new Assignment("ab", 1, "a", "s", 7, 0.5, false)).build());
    happen(outcome("o1", "i0", "like", 1, 0).build());
    harness.processWatermark(102_001);

    List<DecisionValues> values = side(AttributeOutcomes.VALUES);
    assertEquals(3, values.size());
    assertEquals(1, values.get(1).values().length);
    assertEquals(2, values.get(2).values().length);
  }

  @Test
  void stateIsBoundedByTheWindowsAndNotByTime() throws Exception {
    int most = peakOfState(120);
    assertTrue(most > 0);
    assertEquals(most, peakOfState(240));
  }

  /** Decisions, outcomes of them, and outcomes of nobody, ten of each a second. */
  private int peakOfState(int seconds) throws Exception {
    close();
    open();
    int peak = 0;
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < 10; i++) {
        long at = DECIDED_AT + second * 1_000_000L + i * 100_000;
        String id = second + "-" + i;
        Decision decision = TestEvents.decision(id, "s", at);
        send(Topics.DECISIONS, id, at, DECISIONS.encode(decision));
        Outcome outcome = TestEvents.outcome("o", id, "i2", "like", 1, at + 1);
        send(Topics.OUTCOMES, id, at + 1, OUTCOMES.encode(outcome));
        send(Topics.OUTCOMES, "nobody's" + id, at + 1, OUTCOMES.encode(outcome));
      }
      harness.processWatermark(100_000 + second * 1_000L);
      peak = Math.max(peak, harness.numKeyedStateEntries());
      harness.getOutput().clear();
    }
    harness.processWatermark(10_000_000);
    assertEquals(0, harness.numKeyedStateEntries());
    return peak;
  }

  private static Decision.Builder decision() {
    return Decision.newBuilder(TestEvents.decision("d", "s", DECIDED_AT));
  }

  private static Outcome.Builder outcome(
      String id, @Nullable String item, String signal, double value, long afterMicros) {
    return Outcome.newBuilder(
        TestEvents.outcome(id, "d", item, signal, value, DECIDED_AT + afterMicros));
  }

  private static Outcome received(Outcome.Builder outcome, long atMillis) {
    return outcome.setReceivedAtMicros(atMillis * 1000).build();
  }

  private void decide(Decision decision) throws Exception {
    send(Topics.DECISIONS, "d", DECIDED_AT, DECISIONS.encode(decision));
  }

  private void happen(Outcome outcome) throws Exception {
    send(Topics.OUTCOMES, "d", outcome.getReceivedAtMicros(), OUTCOMES.encode(outcome));
  }

  private void send(String topic, String id, long micros, byte[] value) throws Exception {
    long millis = micros / 1000;
    Received record = new Received(topic, 0, 0, millis, null, value);
    harness.processElement(new Event(id, millis, record), millis);
  }

  private List<SignalValue> seconds() {
    return of("seconds");
  }

  private List<SignalValue> ignored() {
    return of("ignored");
  }

  private List<SignalValue> of(String signal) {
    return last().signals().stream().filter(s -> s.getSignal().equals(signal)).toList();
  }

  private List<JoinedDecision> results() {
    return harness.extractOutputValues();
  }

  private JoinedDecision last() {
    return results().get(results().size() - 1);
  }

  private <T> List<T> side(OutputTag<T> tag) {
    List<T> values = new ArrayList<>();
    var output = harness.getSideOutput(tag);
    if (output != null) {
      for (StreamRecord<T> record : output) {
        values.add(record.getValue());
      }
    }
    return values;
  }
}
