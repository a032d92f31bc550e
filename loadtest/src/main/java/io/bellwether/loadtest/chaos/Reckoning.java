package io.bellwether.loadtest.chaos;

import java.util.Map;

/**
 * Requests compared with transitions.
 *
 * @param decisions that the product was told
 * @param refused decisions that it was never told, which may be in the log or not
 * @param decisionsLost told, and in no transition
 * @param decisionsDoubled transitions that were committed twice
 * @param changed told, and another slate is in the transition: the id was decided twice while Redis
 *     could not remember it
 * @param outcomes for which a receipt came back
 * @param outcomesLost of those, not in their transition
 * @param outcomesDoubled in a transition more often than they were sent
 * @param deadLetters refused by the streams
 */
record Reckoning(
    long decisions,
    long refused,
    long decisionsLost,
    long decisionsDoubled,
    long changed,
    long outcomes,
    long outcomesLost,
    long outcomesDoubled,
    long deadLetters) {

  static Reckoning of(Ledger ledger, JoinedLedger joined) {
    return of(ledger.decisions(), joined.transitions(), joined.doubled(), joined.deadLetters());
  }

  static Reckoning of(
      Map<String, Ledger.Entry> asked,
      Map<String, JoinedLedger.Joined> joined,
      long doubled,
      long deadLetters) {
    long decisions = 0;
    long refused = 0;
    long lost = 0;
    long changed = 0;
    long outcomes = 0;
    long outcomesLost = 0;
    long outcomesDoubled = 0;
    for (Map.Entry<String, Ledger.Entry> each : asked.entrySet()) {
      Ledger.Entry entry = each.getValue();
      if (!entry.accepted()) {
        refused++;
        continue;
      }
      decisions++;
      outcomes += entry.outcomesAccepted();
      JoinedLedger.Joined transition = joined.get(each.getKey());
      if (transition == null) {
        lost++;
        outcomesLost += entry.outcomesAccepted();
        continue;
      }
      if (!transition.slate().equals(entry.slate())) {
        changed++;
      }
      outcomesLost += Math.max(0, entry.outcomesAccepted() - transition.outcomes());
      outcomesDoubled += Math.max(0, transition.outcomes() - entry.outcomesSent());
    }
    return new Reckoning(
        decisions,
        refused,
        lost,
        doubled,
        changed,
        outcomes,
        outcomesLost,
        outcomesDoubled,
        deadLetters);
  }

  /** Whether everything that was taken is there. */
  boolean complete() {
    return decisionsLost == 0 && outcomesLost == 0;
  }
}
