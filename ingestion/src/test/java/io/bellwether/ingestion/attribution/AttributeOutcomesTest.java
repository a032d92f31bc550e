package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.metrics.DecisionValues;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One decision at second 100; its longest window is over at second 102. */
class AttributeOutcomesTest {

  private static final long DECIDED_AT = 100_000_000;

  private KeyedOneInputStreamOperatorTestHarness<String, Event, JoinedDecision> harness;
  private long offset;

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
  void aDecisionGoesOnAtOnceAndItsSignalsWhenItsWindowsAreOver() throws Exception {
    decide();
    happen("o1", "i2", "seconds", 5, 500_000);
    assertEquals(1, results().size());
    assertTrue(results().get(0).decision().length > 0);
    assertFalse(results().get(0).closed());

    harness.processWatermark(102_000);
    assertEquals(1, results().size());
    harness.processWatermark(102_001);

    JoinedDecision closed = results().get(1);
    assertTrue(closed.closed());
    assertEquals(0, closed.decision().length);
    assertEquals(List.of(new SignalValue("seconds", 0, 5.0, 1)), closed.signals());
  }

  @Test
  void anOutcomeThatComesBeforeItsDecisionIsJoined() throws Exception {
    happen("o1", "i2", "like", 1, 0);
    decide();
    harness.processWatermark(102_001);

    assertEquals(1, last().outcomeCount());
  }

  @Test
  void theSameEventTwiceIsOneEvent() throws Exception {
    decide();
    decide();
    happen("o1", "i2", "seconds", 5, 500_000);
    happen("o1", "i2", "seconds", 5, 500_000);
    harness.processWatermark(102_001);

    assertEquals(2, results().size());
    assertEquals(List.of(new SignalValue("seconds", 0, 5.0, 1)), last().signals());
  }

  @Test
  void anOutcomeThatHappenedInTimeAndComesLateRestatesWithTheNextWatermark() throws Exception {
    decide();
    harness.processWatermark(110_000);
    happen("o1", "i2", "seconds", 5, 500_000);
    happen("o2", "i0", "like", 1, 500_000);
    assertEquals(2, results().size());
    harness.processWatermark(110_001);

    assertEquals(3, results().size());
    assertEquals(2, last().outcomeCount());
  }

  @Test
  void aDecisionThatComesAfterItsWindowIsStillJoined() throws Exception {
    harness.processWatermark(150_000);
    happen("o1", "i2", "like", 1, 0);
    decide();
    harness.processWatermark(150_001);

    assertEquals(1, last().outcomeCount());
  }

  @Test
  void anOutcomeThatHappenedAfterItsWindowDoesNotCount() throws Exception {
    decide();
    happen("o1", "i2", "like", 1, 1_000_001);
    harness.processWatermark(102_001);

    assertEquals(0, last().outcomeCount());
    assertEquals(1, last().outsideWindow());
    assertEquals(List.of(), last().signals());
  }

  @Test
  void anOutcomeWhoseDecisionNeverComesIsADeadLetterWithItsBytes() throws Exception {
    byte[] value = happen("o1", "i2", "like", 1, 0);
    harness.processWatermark(112_000);
    assertEquals(List.of(), side(AttributeOutcomes.REFUSED));
    harness.processWatermark(112_001);

    List<DeadLetter> letters = side(AttributeOutcomes.REFUSED);
    assertEquals("unknown-decision", letters.get(0).reason());
    assertArrayEquals(value, letters.get(0).record().value());
  }

  @Test
  void anItemThatWasNotShownIsADeadLetter() throws Exception {
    decide();
    happen("o1", "i3", "like", 1, 0);

    assertEquals("dangling-item", side(AttributeOutcomes.REFUSED).get(0).reason());
  }

  @Test
  void noSenderFillsMemoryThroughOneDecision() throws Exception {
    decide();
    for (int i = 0; i <= AttributeOutcomes.MAX_OUTCOMES; i++) {
      happen("o" + i, "i2", "like", 1, 0);
    }
    harness.processWatermark(102_001);

    assertEquals(AttributeOutcomes.MAX_OUTCOMES, last().outcomeCount());
    assertEquals("rate-limited", side(AttributeOutcomes.REFUSED).get(0).reason());
  }

  @Test
  void historyHearsOfADecisionAndOfEachOutcomeAtOnce() throws Exception {
    decide();
    happen("o1", "i0", "like", 1, 0);
    happen("o2", null, "seconds", 5, 0);

    List<HistoryUpdate> updates = side(AttributeOutcomes.HISTORY);
    assertArrayEquals(
        new long[] {ItemReference.of("i2"), ItemReference.of("i0")}, updates.get(0).references());
    assertEquals(0, updates.get(0).items().length);
    assertArrayEquals(new float[4], updates.get(0).signals());
    assertArrayEquals(new float[] {0, 0, 0, 1}, updates.get(1).signals());
    assertArrayEquals(new float[] {5, 0, 5, 1}, updates.get(2).signals());
  }

  @Test
  void historyHearsTheFeaturesOfInlineItems() throws Exception {
    Decision inline = TestEvents.decision("d", "s", DECIDED_AT);
    inline.setRawItems("[]");
    send(Topics.DECISIONS, EventCodec.of(Decision.class).encode(inline), 0);

    HistoryUpdate update = side(AttributeOutcomes.HISTORY).get(0);
    assertEquals(0, update.references().length);
    assertArrayEquals(new float[] {2, 1, 0, 1}, update.items());
  }

  @Test
  void theNumbersOfExperimentsHearOfEachChangeAtOnceWhereADecisionComesFromOne() throws Exception {
    send(Topics.DECISIONS, EventCodec.of(Decision.class).encode(assigned().build()), 0);
    happen("o1", "i0", "like", 1, 0);
    happen("o1", "i0", "like", 1, 0);
    happen("o2", null, "seconds", 5, 10);

    List<DecisionValues> values = side(AttributeOutcomes.VALUES);
    assertEquals(3, values.size());
    assertEquals(0, values.get(0).values().length);
    DecisionValues last = values.get(2);
    assertArrayEquals(new int[] {1, 0}, last.signals());
    assertArrayEquals(new int[] {1, -1}, last.positions());
    assertArrayEquals(new double[] {1, 5}, last.values());
    assertEquals(DECIDED_AT + 10, last.newestMicros());
  }

  @Test
  void theNumbersOfExperimentsHearOfOtherDecisionsWhenTheirWindowsAreOver() throws Exception {
    decide();
    happen("o1", "i0", "like", 1, 0);
    happen("o2", null, "seconds", 5, 10);
    assertEquals(List.of(), side(AttributeOutcomes.VALUES));
    harness.processWatermark(102_001);
    happen("o3", "i2", "like", 1, 0);
    harness.processWatermark(102_002);

    List<DecisionValues> values = side(AttributeOutcomes.VALUES);
    assertEquals(2, values.size());
    assertFalse(values.get(0).assigned());
    assertArrayEquals(new double[] {1, 5}, values.get(0).values());
    assertArrayEquals(new double[] {1, 1, 5}, values.get(1).values());
  }

  @Test
  void aFlagIsMeasuredAndMakesNoTransitionAndNoHistory() throws Exception {
    Decision flag = assigned().setMode("FLAG").build();
    send(Topics.DECISIONS, EventCodec.of(Decision.class).encode(flag), 0);
    happen("o1", "i0", "like", 1, 0);
    harness.processWatermark(102_001);
    happen("o2", "i0", "seconds", 3, 0);
    harness.processWatermark(102_002);

    assertEquals(List.of(), results());
    assertEquals(List.of(), side(AttributeOutcomes.HISTORY));
    assertEquals(3, side(AttributeOutcomes.VALUES).size());
    harness.processWatermark(300_000);
    assertEquals(0, harness.numKeyedStateEntries());
  }

  @Test
  void aRestoredOperatorGoesOnWhereItStood() throws Exception {
    decide();
    happen("o1", "i2", "like", 1, 0);
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    happen("o1", "i2", "like", 1, 0);
    happen("o2", "i2", "seconds", 3, 0);
    harness.processWatermark(102_001);

    assertEquals(1, results().size());
    assertEquals(2, last().outcomeCount());
  }

  @Test
  void nothingIsKeptAfterTheRetention() throws Exception {
    decide();
    happen("o1", "i2", "like", 1, 0);
    harness.processWatermark(102_001 + 60_000 + 10_000);

    assertEquals(0, harness.numKeyedStateEntries());
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, Event, JoinedDecision> harness()
      throws Exception {
    AttributeOutcomes operator =
        new AttributeOutcomes(
            () -> List.of(TestEvents.surface()),
            new Retention(Duration.ofSeconds(60)),
            Duration.ofSeconds(10));
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(operator), Event::decisionId, Types.STRING);
  }

  /** The decision, where an experiment made it. */
  private static Decision.Builder assigned() {
    return Decision.newBuilder(TestEvents.decision("d", "s", DECIDED_AT))
        .setAssignment(new Assignment("ab", 1, "a", "s", 7, 0.5, false));
  }

  private void decide() throws Exception {
    Decision decision = TestEvents.decision("d", "s", DECIDED_AT);
    send(Topics.DECISIONS, EventCodec.of(Decision.class).encode(decision), 0);
  }

  private byte[] happen(
      String id, @Nullable String item, String signal, double value, long afterMicros)
      throws Exception {
    Outcome outcome = TestEvents.outcome(id, "d", item, signal, value, DECIDED_AT + afterMicros);
    byte[] bytes = EventCodec.of(Outcome.class).encode(outcome);
    send(Topics.OUTCOMES, bytes, afterMicros);
    return bytes;
  }

  private void send(String topic, byte[] value, long afterMicros) throws Exception {
    long millis = (DECIDED_AT + afterMicros) / 1000;
    Received record = new Received(topic, 0, offset++, millis, null, value);
    harness.processElement(new Event("d", millis, record), millis);
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
