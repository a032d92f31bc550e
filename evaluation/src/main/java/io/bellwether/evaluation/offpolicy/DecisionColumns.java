package io.bellwether.evaluation.offpolicy;

/**
 * One signal of a log under one target policy, readable decision by decision. A view: it holds
 * references to the log's arrays and copies nothing.
 */
public final class DecisionColumns {
  private final LoggedDecisions log;
  private final PrefixWeights weights;
  private final double[] reward;
  private final double[] prediction;
  private final double[] direct;

  DecisionColumns(
      LoggedDecisions log,
      PrefixWeights weights,
      double[] reward,
      double[] prediction,
      double[] direct) {
    this.log = log;
    this.weights = weights;
    this.reward = reward;
    this.prediction = prediction;
    this.direct = direct;
  }

  public int decisions() {
    return log.decisions();
  }

  public DecisionRow newRow() {
    return new DecisionRow(log.positions());
  }

  public void read(int decision, DecisionRow row) {
    row.clear();
    boolean modelled = direct.length > 0;
    for (int at = log.firstRow(decision); at < log.firstRow(decision + 1); at++) {
      row.place(
          weights.ofRow(at), reward[at], modelled ? prediction[at] : 0, modelled ? direct[at] : 0);
    }
  }
}
