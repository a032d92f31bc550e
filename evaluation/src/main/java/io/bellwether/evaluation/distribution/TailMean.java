package io.bellwether.evaluation.distribution;

/**
 * Mean of the decisions at one end of a distribution: conditional value at risk.
 *
 * @param share of the decisions that make the tail, in (0, 1]
 * @param quantile where the tail begins
 * @param effectiveSampleSize of the decisions beyond or at the quantile: what the mean rests on
 */
public record TailMean(
    End end,
    double share,
    double quantile,
    double value,
    double standardError,
    double effectiveSampleSize) {

  public enum End {
    /** The smallest amounts: what hurts of a reward. */
    LOWER,
    /** The largest: what hurts of a cost. */
    UPPER
  }

  public TailMean {
    if (!Double.isFinite(value) || !(standardError >= 0) || Double.isInfinite(standardError)) {
      throw new IllegalArgumentException(
          "no mean of a tail: %s with standard error %s".formatted(value, standardError));
    }
  }
}
