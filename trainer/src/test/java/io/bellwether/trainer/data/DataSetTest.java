package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.algorithm.LearnerData;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DataSetTest {

  private final SyntheticLog log = new SyntheticLog();

  /** Feeders may split and order the data as they like. */
  @Property(tries = 30)
  void theResultDoesNotDependOnFeedersAndOrder(
      @ForAll long order, @ForAll @IntRange(min = 1, max = 8) int feeders) {
    LearnerData expected = LearnerColumns.of(linked(log.transitions(0, 30), 1));
    List<Transition> shuffled = log.transitions(0, 30);
    Collections.shuffle(shuffled, new Random(order));
    LinkedRows again = linked(shuffled, feeders);
    LearnerData found = LearnerColumns.of(again);
    assertArrayEquals(expected.rowId(), found.rowId());
    assertArrayEquals(expected.items(), found.items());
    assertArrayEquals(expected.rewards(), found.rewards());
    assertArrayEquals(expected.next(), found.next());
    assertEquals(linked(log.transitions(0, 30), 1).summary(), again.summary());
  }

  @Test
  void aRowGoesOnAtTheSamePositionOfTheNextDecision() {
    LinkedRows rows = linked(log.transitions(0, 3), 2);
    for (int i = 0; i < rows.rows().size(); i++) {
      TrainingRow row = rows.rows().get(i);
      if (row.decisionId().equals(SyntheticLog.id(2))) {
        assertEquals(-1, rows.next()[i]);
        assertTrue(rows.terminated()[i]);
      } else {
        TrainingRow next = rows.rows().get(rows.next()[i]);
        assertEquals(row.nextDecisionId(), next.decisionId());
        assertEquals(row.position(), next.position());
        assertFalse(rows.terminated()[i]);
      }
    }
  }

  @Test
  void onlyTheHighestRevisionCounts() {
    List<Transition> transitions = log.transitions(0, 2);
    Transition restated = log.transition(1);
    restated.setRevision(2);
    restated.getSignals().get(0).setValue(99);
    transitions.add(restated);
    LinkedRows rows = linked(transitions, 3);
    assertEquals(2, rows.summary().decisions());
    assertEquals(4, rows.rows().size());
    assertEquals(1, rows.summary().findings().get(Finding.SUPERSEDED));
    double most = rows.rows().stream().mapToDouble(row -> row.rewards()[0]).max().orElse(0);
    assertEquals(99, most);
  }

  @Test
  void whatFollowsUnseenIsTruncatedAndCounted() {
    LinkedRows rows = linked(log.transitions(0, 1), 1);
    assertArrayEquals(new int[] {-1, -1}, rows.next());
    assertFalse(rows.terminated()[0]);
    assertEquals(Map.of(Finding.NEXT_MISSING, 1L), rows.summary().findings());
  }

  @Test
  void aNextDecisionOfAnotherSessionIsRefused() {
    List<Transition> transitions = log.transitions(0, 2);
    transitions.get(1).setSessionId("another");
    InvalidTrainingData refused =
        assertThrows(InvalidTrainingData.class, () -> linked(transitions, 1));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("2 steps whose next decision is of another"),
        refused::getMessage);
  }

  @Test
  void noDataIsSaidSo() {
    assertThrows(InvalidTrainingData.class, () -> linked(List.of(), 2));
    List<Transition> unusable = log.transitions(0, 2);
    unusable.forEach(transition -> transition.getDecision().setLearnable(false));
    InvalidTrainingData refused =
        assertThrows(InvalidTrainingData.class, () -> linked(unusable, 2));
    assertEquals(
        "none of 2 transitions can be used:\n2 decisions marked as not learnable",
        refused.getMessage());
  }

  @Test
  void trainingAndHeldOutSubjectsShareNobody() {
    Subjects training = Subjects.training(0.3);
    Subjects heldOut = Subjects.heldOut(0.3);
    int left = 0;
    for (int i = 0; i < 2000; i++) {
      assertTrue(training.include("subject-" + i) != heldOut.include("subject-" + i));
      left += heldOut.include("subject-" + i) ? 1 : 0;
    }
    assertEquals(600, left, 5 * Math.sqrt(2000 * 0.3 * 0.7));
  }

  /** Rows take the way of a job: through messages, from feeders that each saw some transitions. */
  private LinkedRows linked(List<Transition> transitions, int feeders) {
    DataSet data = new DataSet();
    for (int feeder = 0; feeder < feeders; feeder++) {
      RowEncoder encoder = new RowEncoder(log.surface(), Subjects.all());
      Findings findings = new Findings();
      for (int i = feeder; i < transitions.size(); i += feeders) {
        encoder.encode(
            transitions.get(i),
            row -> FeederMessage.deliver(FeederMessage.of(row), data),
            findings);
      }
      FeederMessage.deliver(FeederMessage.of(findings), data);
    }
    return data.link();
  }
}
