package io.bellwether.evaluation.interval;

/**
 * A two-sided interval of the mean of independent values in [0, 1] at a fixed sample size, valid
 * without any further assumption and mostly the tightest such: the means m against which neither of
 * two gamblers, who bet that the mean is higher or lower, has multiplied a stake of ½ by 1/α.
 *
 * <p>The interval's ends are found by halving, since the wealth of the first gambler falls and that
 * of the second rises with m.
 *
 * <p>Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
 * 2024, hedged capital with predictable bets for a fixed sample size. As in the authors' {@code
 * confseq}, a bet is at most 1 and risks at most 0.9 of the wealth (the paper's example: a half).
 */
public final class BettingInterval {
  private static final double LARGEST_BET = 1;
  private static final double LARGEST_RISK = 0.9;
  private static final int HALVINGS = 40;

  /** Factors lie between 0.1 and 2, so 32 of them neither vanish nor overflow. */
  private static final int FACTORS_PER_LOGARITHM = 32;

  private BettingInterval() {}

  /** The interval of the values' mean; at least one value, each in [0, 1]. */
  public static Interval of(double[] values, double level) {
    if (values.length == 0) {
      throw new IllegalArgumentException("an interval needs a value");
    }
    double[] bets = bets(values, 1 - level);
    double needed = Math.log(2 / (1 - level));
    double lower = end(values, bets, needed, 1);
    double upper = end(values, bets, needed, -1);
    return new Interval(
        Interval.Method.BETTING, level, Math.min(lower, upper), Math.max(lower, upper));
  }

  /** min(1, √(2 ln(2/α) / (n σ̃²_{t−1}))), which knows only the values before its own. */
  private static double[] bets(double[] values, double alpha) {
    double[] bets = new double[values.length];
    double sum = 0;
    double squares = 0;
    for (int t = 1; t <= values.length; t++) {
      double value = values[t - 1];
      if (!(value >= 0 && value <= 1)) {
        throw new IllegalArgumentException("values lie in [0, 1], found " + value);
      }
      double variance = (0.25 + squares) / t;
      double bet = Math.sqrt(2 * Math.log(2 / alpha) / (values.length * variance));
      bets[t - 1] = Math.min(LARGEST_BET, bet);
      sum += value;
      double surprise = value - (0.5 + sum) / (t + 1);
      squares += surprise * surprise;
    }
    return bets;
  }

  /** The lower end for side 1, the upper for side −1. */
  private static double end(double[] values, double[] bets, double needed, int side) {
    double rejected = side > 0 ? 0 : 1;
    double kept = 1 - rejected;
    if (logWealth(values, bets, rejected, side) < needed) {
      return rejected;
    }
    for (int step = 0; step < HALVINGS; step++) {
      double middle = 0.5 * (rejected + kept);
      if (logWealth(values, bets, middle, side) < needed) {
        kept = middle;
      } else {
        rejected = middle;
      }
    }
    return rejected;
  }

  /** Of betting that the mean is above m (side 1) or below m (side −1). */
  private static double logWealth(double[] values, double[] bets, double m, int side) {
    double largest = LARGEST_RISK / (side > 0 ? m : 1 - m);
    double logarithm = 0;
    double product = 1;
    for (int row = 0; row < values.length; row++) {
      product *= 1 + side * Math.min(bets[row], largest) * (values[row] - m);
      if (row % FACTORS_PER_LOGARITHM == 0) {
        logarithm += Math.log(product);
        product = 1;
      }
    }
    return logarithm + Math.log(product);
  }
}
