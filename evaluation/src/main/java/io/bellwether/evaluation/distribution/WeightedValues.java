package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;

/**
 * Decisions with importance weights and amounts, readable in passes. Every pass gives the same
 * decisions in the same order.
 */
public interface WeightedValues {

  /** Takes one decision after the other. */
  interface Visitor {

    /**
     * One decision.
     *
     * @param decision 0-based
     * @param unit whom it belongs to; neighbours with the same number are not independent, so that
     *     the decisions of one unit stand together
     * @param weight at least 0 and finite
     * @param value finite, in the signal's unit
     */
    void visit(int decision, long unit, double weight, double value);
  }

  void forEach(Visitor visitor);

  /** Decisions of which each is its own unit; arrays are not copied. */
  static WeightedValues of(double[] weights, double[] values) {
    return visitor -> {
      for (int decision = 0; decision < weights.length; decision++) {
        visitor.visit(decision, decision, weights[decision], values[decision]);
      }
    };
  }

  /**
   * One signal of a log, or a view of it: the amount of a decision is the sum over its positions,
   * its weight that of the whole slate.
   *
   * @param columns of this log
   * @param units of this log
   */
  static WeightedValues of(LoggedDecisions log, DecisionColumns columns, UnitIndex units) {
    return new ColumnValues(log, columns, units);
  }
}
