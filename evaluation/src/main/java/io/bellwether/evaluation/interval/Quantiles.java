package io.bellwether.evaluation.interval;

/** Sample quantiles by linear interpolation between order statistics (Hyndman and Fan's type 7). */
public final class Quantiles {
  private Quantiles() {}

  /** The quantile of values in ascending order, at least one; share in [0, 1]. */
  public static double ofSorted(double[] ascending, double share) {
    double rank = share * (ascending.length - 1);
    int below = (int) Math.floor(rank);
    int above = Math.min(below + 1, ascending.length - 1);
    return ascending[below] + (rank - below) * (ascending[above] - ascending[below]);
  }
}
