package io.bellwether.evaluation.offpolicy;

import java.nio.DoubleBuffer;

/**
 * The importance weight of each row of a log: the product over the decision's positions up to the
 * row's of target probability / propensity. Computed when read. Immutable.
 */
public final class PrefixWeights {
  private final LoggedDecisions log;
  private final DoubleBuffer column;
  private final boolean known;

  private PrefixWeights(LoggedDecisions log, DoubleBuffer column, boolean known) {
    this.log = log;
    this.column = column;
    this.known = known;
  }

  /** From a policy's probabilities by row. */
  static PrefixWeights ofRatios(LoggedDecisions log, DoubleBuffer probability) {
    return new PrefixWeights(log, probability, false);
  }

  /** From weights by row. */
  static PrefixWeights known(LoggedDecisions log, DoubleBuffer weight) {
    return new PrefixWeights(log, weight, true);
  }

  /** Decisions of the log. */
  public int decisions() {
    return log.decisions();
  }

  /** A decision's weight at a position; one that ends earlier keeps its last weight. */
  public double at(int decision, int position) {
    int first = log.firstRow(decision);
    int last = Math.min(first + position, log.firstRow(decision + 1) - 1);
    if (known) {
      return column.get(last);
    }
    return last - first < DecisionRow.MAX_PLAIN_FACTORS
        ? product(first, last)
        : Math.exp(logarithm(first, last));
  }

  /** Fills a row's next position with a row of the log. */
  void put(int at, DecisionRow row, double reward, double prediction, double direct) {
    if (known) {
      row.put(column.get(at), reward, prediction, direct);
    } else {
      row.putRatio(ratio(at), reward, prediction, direct);
    }
  }

  private double ratio(int row) {
    return column.get(row) / log.logging(row);
  }

  private double product(int first, int last) {
    double product = 1;
    for (int row = first; row <= last; row++) {
      product *= ratio(row);
    }
    return product;
  }

  private double logarithm(int first, int last) {
    double logarithm = 0;
    for (int row = first; row <= last; row++) {
      logarithm += Math.log(ratio(row));
    }
    return logarithm;
  }
}
