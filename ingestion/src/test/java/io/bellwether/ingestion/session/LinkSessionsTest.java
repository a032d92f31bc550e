package io.bellwether.ingestion.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Windows of 2 s and a gap of 3 s: a decision is linked 5 s after it was made. */
class LinkSessionsTest {

  private long watermark = 100_000;
  private final List<Transition> emittedBefore = new ArrayList<>();
  private KeyedOneInputStreamOperatorTestHarness<String, JoinedDecision, Transition> harness;

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
  void aDecisionIsLinkedToTheNextWhenWindowAndGapHavePassed() throws Exception {
    decided("a", 100);
    closed("a", 100);
    decided("b", 102);
    closed("b", 102);
    harness.processWatermark(105_000);
    assertEquals(List.of(), transitions());
    harness.processWatermark(105_001);

    Transition a = transitions().get(0);
    assertEquals("b", a.getNextDecisionId());
    assertEquals("a", a.getSessionId());
    assertFalse(a.getTerminated());
    assertFalse(a.getTruncated());

    harness.processWatermark(107_001);
    Transition b = transitions().get(1);
    assertEquals(List.of("a", 1), List.of(b.getSessionId(), b.getStep()));
    assertTrue(b.getTruncated());
    assertEquals(TestEvents.decision("b", "s", 102_000_000), b.getDecision());
  }

  @Test
  void anEndThatWasSeenTerminatesAndTheNextDecisionStartsASession() throws Exception {
    decided("a", 100);
    closed("a", 100, new SignalValue("leave", -1, 1.0, 1));
    decided("b", 101);
    closed("b", 101);
    harness.processWatermark(110_000);

    assertTrue(transitions().get(0).getTerminated());
    assertEquals("b", transitions().get(1).getSessionId());
  }

  @Test
  void aLateOutcomeRestatesWithTheNextRevisionAndTheSameLink() throws Exception {
    decided("a", 100);
    closed("a", 100);
    harness.processWatermark(110_000);
    closed("a", 100, new SignalValue("like", 0, 1.0, 1));
    harness.processWatermark(111_000);

    assertEquals(2, transitions().size());
    Transition restated = transitions().get(1);
    assertEquals(1, restated.getRevision());
    assertEquals(List.of(new SignalValue("like", 0, 1.0, 1)), restated.getSignals());
    assertEquals("a", restated.getSessionId());
    assertTrue(restated.getTruncated());
  }

  @Test
  void theTimeOfJoiningFollowsFromTheDataWheneverItIsEmitted() throws Exception {
    decided("a", 100);
    closed("a", 100);
    harness.processWatermark(130_000);
    Observation late = new Observation("o", "like", 0, 1.0, 100_500_000L, 108_000_000L);
    harness.processElement(
        new JoinedDecision(
            "clips", "s", "a", 100_000_000, new byte[0], true, List.of(), 1, 0, List.of(late)),
        130_000);
    harness.processWatermark(140_000);

    assertEquals(105_001_000, transitions().get(0).getJoinedAtMicros());
    assertEquals(List.of(), transitions().get(0).getOutcomes());
    assertEquals(108_000_000, transitions().get(1).getJoinedAtMicros());
    assertEquals(List.of(late), transitions().get(1).getOutcomes());
  }

  @Test
  void aLateDecisionBetweenTwoOthersRestatesWhatItMoves() throws Exception {
    decided("a", 100);
    closed("a", 100);
    decided("c", 102);
    closed("c", 102);
    harness.processWatermark(110_000);
    decided("b", 101);
    closed("b", 101);
    harness.processWatermark(111_000);

    assertEquals(
        List.of("a 0 0 c", "c 0 1 null", "a 1 0 b", "b 0 1 c", "c 1 2 null"),
        transitions().stream().map(LinkSessionsTest::summary).toList());
  }

  @Test
  void aLongSessionGoesOnAfterItsFirstDecisionsWereLetGo() throws Exception {
    for (int second = 100; second < 300; second += 2) {
      decided("d" + second, second);
      closed("d" + second, second);
      harness.processWatermark(second * 1000L);
    }
    harness.processWatermark(310_000);

    assertEquals(100, transitions().size());
    assertEquals("d100", transitions().get(99).getSessionId());
    assertEquals(99, transitions().get(99).getStep());
    assertTrue(harness.numKeyedStateEntries() > 0);
    harness.processWatermark(400_000);
    assertEquals(0, harness.numKeyedStateEntries());
  }

  @Test
  void aRestoredOperatorGoesOnWhereItStood() throws Exception {
    decided("a", 100);
    closed("a", 100);
    harness.processWatermark(103_000);
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    decided("b", 102);
    harness.processWatermark(106_000);

    assertEquals(
        List.of("a 0 0 b"), transitions().stream().map(LinkSessionsTest::summary).toList());
  }

  @Test
  void afterARestoreALateDecisionStillRestatesWhatWentOutBefore() throws Exception {
    decided("a", 100);
    closed("a", 100);
    decided("c", 102);
    closed("c", 102);
    harness.processWatermark(110_000);
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    decided("b", 101);
    closed("b", 101);
    harness.processWatermark(106_001);

    assertEquals(
        List.of("a 1 0 b", "b 0 1 c", "c 1 2 null"),
        transitions().stream().map(LinkSessionsTest::summary).toList());
  }

  @RepeatedTest(50)
  void whateverTheOrderOfArrivalTheLastRevisionsAreThoseOfTheRule(RepetitionInfo repetition)
      throws Exception {
    Random random = new Random(repetition.getCurrentRepetition());
    List<SessionLinks.Moment> moments = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      long at = 100_000_000L + random.nextInt(40) * 1_000_000L;
      moments.add(new SessionLinks.Moment("d" + i, at, random.nextInt(6) == 0));
    }
    List<Runnable> arrivals = new ArrayList<>();
    for (SessionLinks.Moment moment : moments) {
      arrivals.add(() -> arrive(moment, random));
    }
    Collections.shuffle(arrivals, random);
    for (Runnable arrival : arrivals) {
      arrival.run();
      if (random.nextBoolean()) {
        watermark += random.nextInt(4_000);
        harness.processWatermark(watermark);
      }
      if (random.nextInt(10) == 0) {
        restore();
      }
    }
    harness.processWatermark(160_000);

    Map<String, Transition> last = new HashMap<>();
    for (Transition transition : emitted()) {
      Transition before = last.put(transition.getDecision().getDecisionId(), transition);
      assertEquals(before == null ? 0 : before.getRevision() + 1, transition.getRevision());
    }
    List<String> links =
        new SessionLinks(Duration.ofSeconds(3))
            .link(moments).stream()
                .map(
                    l ->
                        l.moment().decisionId()
                            + " "
                            + l.sessionId()
                            + " "
                            + l.step()
                            + " "
                            + l.nextDecisionId()
                            + " "
                            + l.terminated())
                .toList();
    assertEquals(links.size(), last.size());
    assertEquals(
        links,
        moments.stream()
            .sorted()
            .map(m -> Objects.requireNonNull(last.get(m.decisionId())))
            .map(
                t ->
                    t.getDecision().getDecisionId()
                        + " "
                        + t.getSessionId()
                        + " "
                        + t.getStep()
                        + " "
                        + t.getNextDecisionId()
                        + " "
                        + t.getTerminated())
            .toList());
  }

  /** A decision, its closing and perhaps an outcome after that; the end may be known late. */
  private void arrive(SessionLinks.Moment moment, Random random) {
    long second = moment.decidedAtMicros() / 1_000_000;
    try {
      decided(moment.decisionId(), second);
      if (random.nextInt(3) == 0) {
        closed(moment.decisionId(), second);
        watermark += 1;
        harness.processWatermark(watermark);
      }
      if (moment.ended()) {
        closed(moment.decisionId(), second, new SignalValue("leave", -1, 1.0, 1));
      } else {
        closed(moment.decisionId(), second);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theWorkPerDecisionDoesNotGrowWithTheDecisionsOfASubject() {
    // A shared placeholder id: looking at all of them each time took minutes, this takes seconds.
    int decisions = 50_000;
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          Decision decision = TestEvents.decision("d", "s", 0);
          byte[] bytes = EventCodec.of(Decision.class).encode(decision);
          for (int i = 0; i < decisions; i++) {
            long micros = 100_000_000L + i * 1_000L;
            send(micros, "d" + i, bytes, false);
            send(micros, "d" + i, new byte[0], true);
            harness.processWatermark(micros / 1000);
          }
          harness.processWatermark(300_000);
        });

    assertEquals(decisions, transitions().size());
    assertEquals(0, harness.numKeyedStateEntries());
  }

  @Test
  void aDecisionThatIsOlderThanWhatWasLetGoIsASessionOfItsOwn() throws Exception {
    for (int second = 100; second <= 200; second += 2) {
      decided("d" + second, second);
      closed("d" + second, second);
      harness.processWatermark(second * 1000L);
    }
    decided("late", 101);
    closed("late", 101);
    harness.processWatermark(210_000);

    Transition late =
        transitions().stream()
            .filter(t -> t.getDecision().getDecisionId().equals("late"))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of("late", 0), List.of(late.getSessionId(), late.getStep()));
    assertEquals(52, transitions().size());
    assertEquals("d100", transitions().get(51).getSessionId());
  }

  private void restore() throws Exception {
    OperatorSubtaskState state = harness.snapshot(1, 1);
    emittedBefore.addAll(harness.extractOutputValues());
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
  }

  private List<Transition> emitted() {
    List<Transition> all = new ArrayList<>(emittedBefore);
    all.addAll(harness.extractOutputValues());
    return all;
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, JoinedDecision, Transition>
      harness() throws Exception {
    LinkSessions operator =
        new LinkSessions(
            () -> List.of(TestEvents.surface()),
            new Retention(Duration.ofSeconds(60)),
            Duration.ofSeconds(10));
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(operator), JoinedDecision::subjectKey, Types.STRING);
  }

  private void decided(String id, long second) throws Exception {
    Decision decision = TestEvents.decision(id, "s", second * 1_000_000);
    send(id, second, EventCodec.of(Decision.class).encode(decision), false, List.of());
  }

  private void closed(String id, long second, SignalValue... signals) throws Exception {
    send(id, second, new byte[0], true, List.of(signals));
  }

  private void send(
      String id, long second, byte[] decision, boolean closed, List<SignalValue> signals)
      throws Exception {
    harness.processElement(
        new JoinedDecision(
            "clips",
            "s",
            id,
            second * 1_000_000,
            decision,
            closed,
            signals,
            signals.size(),
            0,
            List.of()),
        second * 1000);
  }

  private void send(long micros, String id, byte[] decision, boolean closed) throws Exception {
    harness.processElement(
        new JoinedDecision("clips", "s", id, micros, decision, closed, List.of(), 0, 0, List.of()),
        micros / 1000);
  }

  private List<Transition> transitions() {
    return harness.extractOutputValues();
  }

  private static String summary(Transition transition) {
    return transition.getDecision().getDecisionId()
        + " "
        + transition.getRevision()
        + " "
        + transition.getStep()
        + " "
        + transition.getNextDecisionId();
  }
}
