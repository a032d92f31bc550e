package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.EmpiricalBernsteinSequence;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;

/**
 * Bounds of a policy's value that hold for any weights, at every row count: each is wrong with
 * probability at most alpha.
 *
 * <p>The lower bound is the empirical Bernstein sequence on Σ_k w_k(r_k − low), scaled to a mean in
 * [0, 1]. The upper bound reflects it: since weights have mean 1, V = K·high − E[Σ_k w_k(high −
 * r_k)], K positions. Positions that a decision did not fill have reward 0, so the range is widened
 * to contain 0 where lengths differ.
 *
 * <p>Decisions are taken in log order and as independent given the earlier ones; several decisions
 * of one unit are not told apart here.
 *
 * @param range of a reward on one row
 * @param sameLength whether all decisions fill all positions
 */
record AnytimeBounds(DecisionColumns columns, Range range, boolean sameLength) {

  double lower(double alpha) {
    double low = low();
    return shifted(alpha, -1, low) * span() + low * positions();
  }

  double upper(double alpha) {
    double high = high();
    return high * positions() - shifted(alpha, 1, high) * span();
  }

  /** The sequence's bound of E[Σ_k w_k·(edge − r_k)·side] / span. */
  private double shifted(double alpha, int side, double edge) {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(alpha);
    Estimator rewardSum = new Ips();
    double[] weighted = new double[1];
    DecisionRow row = columns.newRow();
    for (int decision = 0; decision < columns.decisions(); decision++) {
      columns.read(decision, row);
      rewardSum.terms(row, weighted);
      sequence.add(Math.max(0, side * (edge * row.totalWeight() - weighted[0]) / span()));
    }
    return sequence.best();
  }

  private double low() {
    return sameLength ? range.low() : Math.min(0, range.low());
  }

  private double high() {
    return sameLength ? range.high() : Math.max(0, range.high());
  }

  private double span() {
    return (high() - low()) * positions();
  }

  private int positions() {
    return columns.newRow().positions();
  }
}
