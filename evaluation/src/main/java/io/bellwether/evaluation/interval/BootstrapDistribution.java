package io.bellwether.evaluation.interval;

import java.util.Arrays;

/**
 * What resampling units says about an estimate: its value in each replicate, with every normaliser
 * computed anew.
 *
 * <p>Sources: Efron, "Better Bootstrap Confidence Intervals", 1987 (bias-corrected and
 * accelerated); quantiles by Hyndman and Fan's type 7.
 *
 * @param theta the estimate on the units as they are
 * @param replicates its values on resamples, at least two, in any order; not copied
 * @param undefined in how many resamples it had no value (no overlap); they are not among the
 *     replicates
 * @param acceleration a sixth of the skewness of the jackknife values; NaN where leaving a unit out
 *     leaves no value
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
public record BootstrapDistribution(
    double theta, double[] replicates, int undefined, double acceleration) {
  /** Two values closer than this share of theta are the same but for rounding. */
  private static final double TIE = 1e-13;

  public BootstrapDistribution {
    if (replicates.length < 2 || undefined < 0 || !Double.isFinite(theta)) {
      throw new IllegalArgumentException(
          "%d replicates and %d without a value around %s"
              .formatted(replicates.length, undefined, theta));
    }
  }

  public BootstrapDistribution(double theta, double[] replicates, double acceleration) {
    this(theta, replicates, 0, acceleration);
  }

  /** The replicates' standard deviation. */
  public double standardError() {
    double mean = 0;
    for (double value : replicates) {
      mean += value / replicates.length;
    }
    double squares = 0;
    for (double value : replicates) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (replicates.length - 1));
  }

  /** The interval between the replicates' quantiles at half the miss probability. */
  public Interval percentile(double level) {
    double alpha = (1 - level) / 2;
    return between(Interval.Method.PERCENTILE, level, alpha, 1 - alpha);
  }

  /**
   * The bias-corrected and accelerated interval. Where {@link #fallsBack} it is the percentile
   * interval, which its method says.
   */
  public Interval bca(double level) {
    return fallsBack(level)
        ? percentile(level)
        : between(Interval.Method.BCA, level, adjusted((1 - level) / 2), adjusted((1 + level) / 2));
  }

  /**
   * Whether the correction is not defined: all replicates on one side of the estimate, or an
   * acceleration too large or not known.
   */
  public boolean fallsBack(double level) {
    double z = Normal.quantile((1 + level) / 2);
    double share = shareBelow();
    if (!(share > 0 && share < 1)) {
      return true;
    }
    double bias = Normal.quantile(share);
    return !(1 - acceleration * (bias + z) > 0) || !(1 - acceleration * (bias - z) > 0);
  }

  /** z₀, the normal quantile of the share of replicates below the estimate; may be infinite. */
  public double biasCorrection() {
    double share = shareBelow();
    if (share <= 0 || share >= 1) {
      return share <= 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return Normal.quantile(share);
  }

  /** The level of the replicates' quantile that stands for a share of the normal distribution. */
  double adjusted(double share) {
    double bias = biasCorrection();
    double shifted = bias + Normal.quantile(share);
    return Normal.cumulative(bias + shifted / (1 - acceleration * shifted));
  }

  private double shareBelow() {
    double tie = TIE * Math.abs(theta);
    long halves = 0;
    for (double value : replicates) {
      halves += Math.abs(value - theta) <= tie ? 1 : value < theta ? 2 : 0;
    }
    return halves / (2.0 * replicates.length);
  }

  private Interval between(Interval.Method method, double level, double from, double to) {
    double[] ascending = replicates.clone();
    Arrays.sort(ascending);
    return new Interval(
        method, level, Quantiles.ofSorted(ascending, from), Quantiles.ofSorted(ascending, to));
  }
}
