package io.bellwether.evaluation.offpolicy;

/**
 * The importance weight of each row of a log: the product over the decision's positions up to the
 * row's of target probability / propensity. Immutable.
 */
public final class PrefixWeights {
  private final LoggedDecisions log;
  private final double[] weight;

  PrefixWeights(LoggedDecisions log, double[] target) {
    this.log = log;
    weight = new double[log.rows()];
    DecisionRow row = new DecisionRow(log.positions());
    for (int decision = 0; decision < log.decisions(); decision++) {
      int first = log.firstRow(decision);
      row.clear();
      for (int at = first; at < log.firstRow(decision + 1); at++) {
        row.next(target[at] / log.logging(at), 0, 0, 0);
        weight[at] = row.weight[at - first];
      }
    }
  }

  double ofRow(int row) {
    return weight[row];
  }

  /** Each decision's weight at a position; decisions that end earlier keep their last weight. */
  public double[] atPosition(int position) {
    double[] at = new double[log.decisions()];
    for (int decision = 0; decision < at.length; decision++) {
      int last = log.firstRow(decision + 1) - 1;
      at[decision] = weight[Math.min(log.firstRow(decision) + position, last)];
    }
    return at;
  }
}
