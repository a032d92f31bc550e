package io.bellwether.evaluation.interval;

/**
 * A lower confidence sequence for a mean in [0, 1] of values at least 0: with probability at least
 * 1 − alpha it is below the mean at every row count at once, so one may look as often as one likes.
 *
 * <p>Single values may be arbitrarily large (importance weight times reward), only their mean is in
 * [0, 1]. Values arrive in log order; each must have the same mean given the earlier ones. Constant
 * memory, confined to one thread.
 *
 * <p>Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
 * 2024, predictable-mixture empirical Bernstein; its one-sided use for importance-weighted values
 * is Waudby-Smith et al., "Anytime-valid off-policy inference for contextual bandits", 2024.
 */
public final class EmpiricalBernsteinSequence {
  private static final double LARGEST_BET = 0.5;

  private final double logInverseAlpha;
  private long count;
  private double sum;
  private double squares;
  private double betSum;
  private double betValueSum;
  private double penaltySum;
  private double best;

  public EmpiricalBernsteinSequence(double alpha) {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException("alpha lies in (0, 1), found " + alpha);
    }
    logInverseAlpha = Math.log(1 / alpha);
  }

  public void add(double value) {
    double meanBefore = count == 0 ? 0 : Math.min(1, sum / count);
    double spread = (0.25 + squares) / (count + 1);
    long t = count + 1;
    double bet =
        Math.min(LARGEST_BET, Math.sqrt(2 * logInverseAlpha / (spread * t * Math.log(1.0 + t))));
    double surprise = value - meanBefore;
    betSum += bet;
    betValueSum += bet * value;
    penaltySum += surprise * surprise * (-Math.log1p(-bet) - bet);
    sum += value;
    count = t;
    double smoothedMean = Math.min(1, (0.5 + sum) / (t + 1));
    squares += (value - smoothedMean) * (value - smoothedMean);
    best = Math.max(best, lower());
  }

  /** The bound after the values so far; 0 while nothing can be said. */
  public double lower() {
    return count == 0 ? 0 : Math.max(0, (betValueSum - logInverseAlpha - penaltySum) / betSum);
  }

  /** The largest bound so far, which is as valid as the latest. */
  public double best() {
    return best;
  }
}
