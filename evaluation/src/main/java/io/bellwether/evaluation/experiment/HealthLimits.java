package io.bellwether.evaluation.experiment;

/**
 * Hard operational limits of a treatment; a limit of {@link #NO_SHARE} or {@link #NO_MICROS} is
 * none. No statistics: crossed is crossed, once enough decisions are in.
 *
 * @param degradedShare largest share of decisions that a fallback may answer, in [0, 1]
 * @param decisionP99Micros most that 99 % of decisions may take
 * @param leastExposures decisions before either is looked at
 * @param shadow what a version that scores in the shadow must keep
 */
public record HealthLimits(
    double degradedShare, long decisionP99Micros, long leastExposures, Shadow shadow) {
  public static final double NO_SHARE = 1;
  public static final long NO_MICROS = Long.MAX_VALUE;

  /** Fewer decisions than this say nothing about a share of a percent or a 99 % quantile. */
  private static final long LEAST = 200;

  /**
   * Limits of scoring in the shadow.
   *
   * @param errorShare largest share of decisions that may not be scored
   * @param p99Micros most that 99 % of scorings may take
   * @param distance largest mean total variation distance from what was served, in [0, 1]
   * @param agreement least mean share of positions with the same item, in [0, 1]
   */
  public record Shadow(double errorShare, long p99Micros, double distance, double agreement) {
    public static final Shadow DEFAULT = new Shadow(0.001, NO_MICROS, NO_SHARE, 0);

    public Shadow {
      requireShare(errorShare);
      requireShare(distance);
      requireShare(agreement);
    }
  }

  public static final HealthLimits NONE =
      new HealthLimits(NO_SHARE, NO_MICROS, LEAST, Shadow.DEFAULT);

  public HealthLimits {
    requireShare(degradedShare);
    if (decisionP99Micros < 1 || leastExposures < 1) {
      throw new IllegalArgumentException(
          "%d microseconds, %d exposures".formatted(decisionP99Micros, leastExposures));
    }
  }

  private static void requireShare(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share lies in [0, 1], found " + share);
    }
  }
}
