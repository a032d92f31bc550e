package io.bellwether.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.chaos.JoinedLedger.Joined;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReckoningTest {

  private final Ledger ledger = new Ledger();

  @Test
  void whatWasTakenAndIsInItsTransitionOnceIsNeitherLostNorDoubled() {
    told("a", 2, 2);
    Reckoning reckoning = against(Map.of("a", new Joined(1, 2, List.of("x"))), 0);
    assertEquals(new Reckoning(1, 0, 0, 0, 0, 2, 0, 0, 0), reckoning);
    assertTrue(reckoning.complete());
  }

  @Test
  void aDecisionWithoutATransitionIsLostWithItsOutcomes() {
    told("a", 1, 1);
    told("b", 2, 2);
    Reckoning reckoning = against(Map.of("a", new Joined(0, 1, List.of("x"))), 0);
    assertEquals(1, reckoning.decisionsLost());
    assertEquals(2, reckoning.outcomesLost());
    assertFalse(reckoning.complete());
  }

  /** Its receipt may have been lost on the way back. */
  @Test
  void anOutcomeThatLeftWithoutAReceiptMayBeThereOrNot() {
    told("a", 2, 1);
    assertTrue(against(Map.of("a", new Joined(0, 1, List.of("x"))), 0).complete());
    assertEquals(0, against(Map.of("a", new Joined(0, 2, List.of("x"))), 0).outcomesDoubled());
    assertEquals(1, against(Map.of("a", new Joined(0, 3, List.of("x"))), 0).outcomesDoubled());
    assertEquals(1, against(Map.of("a", new Joined(0, 0, List.of("x"))), 0).outcomesLost());
  }

  @Test
  void aDecisionThatWasGivenUpMayBeInTheLog() {
    ledger.asked("a");
    assertEquals(
        new Reckoning(0, 1, 0, 0, 0, 0, 0, 0, 0),
        against(Map.of("a", new Joined(0, 0, List.of("x"))), 0));
  }

  @Test
  void anotherSlateThanTheOneThatWasToldIsCounted() {
    told("a", 0, 0);
    Reckoning reckoning = against(Map.of("a", new Joined(0, 0, List.of("y"))), 3);
    assertEquals(1, reckoning.changed());
    assertEquals(3, reckoning.decisionsDoubled());
  }

  private void told(String id, int sent, int accepted) {
    ledger.asked(id);
    ledger.accepted(id, List.of("x"));
    for (int i = 0; i < sent; i++) {
      ledger.outcomeSent(id);
    }
    for (int i = 0; i < accepted; i++) {
      ledger.outcomeAccepted(id);
    }
  }

  private Reckoning against(Map<String, Joined> joined, long doubled) {
    return Reckoning.of(ledger.decisions(), joined, doubled, 0);
  }
}
