package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.nio.DoubleBuffer;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What one pass over a signal's observed amounts shows: of all rows, of a segment's or of those at
 * a position.
 *
 * @param rows how many amounts there are
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

  /** With fewer events, or non-events, no normal distribution describes their mean. */
  private static final long FEW_EVENTS = 10;

  static RewardSummary of(LoggedDecisions log, String signal) {
    return of(log, signal, decision -> true, 0, log.positions());
  }

  /** Of the decisions that are chosen. */
  static RewardSummary of(LoggedDecisions log, String signal, IntPredicate chosen) {
    return of(log, signal, chosen, 0, log.positions());
  }

  /** Of one position, where decisions have it. */
  static RewardSummary ofPosition(LoggedDecisions log, String signal, int position) {
    return of(log, signal, decision -> true, position, position + 1);
  }

  private static RewardSummary of(
      LoggedDecisions log, String signal, IntPredicate chosen, int from, int to) {
    DoubleBuffer reward = log.signal(signal).reward();
    long rows = 0;
    long decisions = 0;
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    boolean flags = true;
    boolean decisionFlags = true;
    long events = 0;
    long decisionEvents = 0;
    CompensatedSums sum = new CompensatedSums(1);
    for (int number = 0; number < log.decisions(); number++) {
      int first = log.firstRow(number) + from;
      int end = Math.min(log.firstRow(number) + to, log.firstRow(number + 1));
      if (first >= end || !chosen.test(number)) {
        continue;
      }
      rows += end - first;
      decisions++;
      double total = 0;
      for (int row = first; row < end; row++) {
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
        rows,
        lowest,
        highest,
        sum.get(0),
        flags,
        rarer(flags, events, rows, decisionFlags, decisionEvents, decisions));
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

  boolean hasFewEvents() {
    return rarer >= 0 && rarer < FEW_EVENTS;
  }

  /** Why a mean of these amounts has no normal limit, if it has none. */
  Optional<Finding.Code> sparseness() {
    if (hasFewEvents()) {
      return Optional.of(Finding.Code.FEW_EVENTS);
    }
    return allEqual() ? Optional.of(Finding.Code.ZERO_VARIANCE) : Optional.empty();
  }

  double largestMagnitude() {
    return rows == 0 ? 0 : Math.max(Math.abs(lowest), Math.abs(highest));
  }
}
