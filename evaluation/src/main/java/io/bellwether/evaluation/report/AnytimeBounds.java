package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.EmpiricalBernsteinSequence;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;

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

  /** Both bounds, with half of the miss probability each, in one pass. */
  Interval interval(double level) {
    double alpha = (1 - level) / 2;
    EmpiricalBernsteinSequence fromLow = new EmpiricalBernsteinSequence(alpha);
    EmpiricalBernsteinSequence fromHigh = new EmpiricalBernsteinSequence(alpha);
    double span = span();
    columns.forEach(
        (decision, row) -> {
          fromLow.add(aboveLow(row) / span);
          fromHigh.add(belowHigh(row) / span);
        });
    double lower = fromLow.best() * span + low() * columns.positions();
    double upper = high() * columns.positions() - fromHigh.best() * span;
    // Crossed bounds have a probability of at most 2·alpha; the wider reading is then the honest
    // one.
    return new Interval(
        Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
        level,
        Math.min(lower, upper),
        Math.max(lower, upper));
  }

  /** Σ_k w_k(r_k − low), at least 0. */
  double aboveLow(DecisionRow row) {
    return Math.max(0, weightedReward(row) - low() * row.totalWeight());
  }

  /** Σ_k w_k(high − r_k), at least 0. */
  private double belowHigh(DecisionRow row) {
    return Math.max(0, high() * row.totalWeight() - weightedReward(row));
  }

  private static double weightedReward(DecisionRow row) {
    double sum = 0;
    for (int position = 0; position < row.positions(); position++) {
      sum += row.weight(position) * row.reward(position);
    }
    return sum;
  }

  /** Of a row's reward, widened where rows are missing. */
  double low() {
    return sameLength ? range.low() : Math.min(0, range.low());
  }

  /** Of a row's reward, widened where rows are missing. */
  double high() {
    return sameLength ? range.high() : Math.max(0, range.high());
  }

  /** Of a decision's value. */
  double span() {
    return (high() - low()) * columns.positions();
  }
}
