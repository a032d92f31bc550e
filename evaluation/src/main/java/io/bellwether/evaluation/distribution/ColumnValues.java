package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;

/**
 * The total amounts of a log's decisions with the weight of the whole slate, the decisions of each
 * unit together. Where the log does not hold them so, their order takes 4 bytes a decision.
 */
final class ColumnValues implements WeightedValues {
  private final LoggedDecisions log;
  private final DecisionColumns columns;

  /** Decisions by unit, empty where they stand so already. */
  private final int[] order;

  ColumnValues(LoggedDecisions log, DecisionColumns columns, UnitIndex units) {
    this.log = log;
    this.columns = columns;
    order = units.repeats() && !ascending(log) ? byUnit(units) : new int[0];
  }

  @Override
  public void forEach(Visitor visitor) {
    if (order.length == 0) {
      columns.forEach((decision, row) -> visit(visitor, decision, row));
      return;
    }
    DecisionRow row = columns.newRow();
    for (int decision : order) {
      if (columns.holds(decision)) {
        columns.read(decision, row);
        visit(visitor, decision, row);
      }
    }
  }

  private void visit(Visitor visitor, int decision, DecisionRow row) {
    visitor.visit(decision, log.unit(decision), row.lastWeight(), row.totalReward());
  }

  private static boolean ascending(LoggedDecisions log) {
    boolean signed = true;
    boolean unsigned = true;
    for (int decision = 1; decision < log.decisions() && (signed || unsigned); decision++) {
      signed &= log.unit(decision - 1) <= log.unit(decision);
      unsigned &= Long.compareUnsigned(log.unit(decision - 1), log.unit(decision)) <= 0;
    }
    return signed || unsigned;
  }

  /** Counting sort, which keeps the order within a unit. */
  private static int[] byUnit(UnitIndex units) {
    int[] next = new int[units.count() + 1];
    for (int decision = 0; decision < units.decisions(); decision++) {
      next[units.unitOf(decision) + 1]++;
    }
    for (int unit = 0; unit < units.count(); unit++) {
      next[unit + 1] += next[unit];
    }
    int[] order = new int[units.decisions()];
    for (int decision = 0; decision < order.length; decision++) {
      order[next[units.unitOf(decision)]++] = decision;
    }
    return order;
  }
}
