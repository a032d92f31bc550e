package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.nio.DoubleBuffer;

/**
 * What one pass over a signal's observed amounts shows.
 *
 * @param lowest on a row
 * @param highest on a row
 * @param sum over all rows
 * @param flags whether each row's amount is 0 or 1
 * @param rarer how many decisions have the rarer of the two values of a flag, which may be a flag
 *     of the decision as a whole, shared out among its rows; −1 where the signal is no flag
 */
record RewardSummary(
    long rows, double lowest, double highest, double sum, boolean flags, long rarer) {
  private static final double ROUNDING = 1e-9;

  static RewardSummary of(LoggedDecisions log, String signal) {
    DoubleBuffer reward = log.signal(signal).reward();
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    boolean flags = true;
    boolean decisionFlags = true;
    long events = 0;
    long decisionEvents = 0;
    CompensatedSums sum = new CompensatedSums(1);
    for (int number = 0; number < log.decisions(); number++) {
      double total = 0;
      for (int row = log.firstRow(number); row < log.firstRow(number + 1); row++) {
        double value = reward.get(row);
        lowest = Math.min(lowest, value);
        highest = Math.max(highest, value);
        flags &= value == 0 || value == 1;
        events += value == 1 ? 1 : 0;
        total += value;
      }
      sum.add(0, total);
      decisionFlags &= isNear(total, 0) || isNear(total, 1);
      decisionEvents += isNear(total, 1) ? 1 : 0;
    }
    return new RewardSummary(
        log.rows(),
        lowest,
        highest,
        sum.get(0),
        flags,
        rarer(flags, events, log.rows(), decisionFlags, decisionEvents, log.decisions()));
  }

  private static long rarer(
      boolean flags,
      long events,
      long rows,
      boolean decisionFlags,
      long decisionEvents,
      long decisions) {
    if (flags) {
      return Math.min(events, rows - events);
    }
    return decisionFlags ? Math.min(decisionEvents, decisions - decisionEvents) : -1;
  }

  private static boolean isNear(double value, double whole) {
    return Math.abs(value - whole) <= ROUNDING;
  }

  boolean allEqual() {
    return lowest == highest;
  }

  double largestMagnitude() {
    return rows == 0 ? 0 : Math.max(Math.abs(lowest), Math.abs(highest));
  }
}
