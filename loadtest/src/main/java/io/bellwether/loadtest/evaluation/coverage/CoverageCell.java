package io.bellwether.loadtest.evaluation.coverage;

/**
 * One kind of interval in one study.
 *
 * @param decisions of each log (slates, visits or episodes), or subjects where these decide more
 *     than once
 * @param estimated estimator, or difference of estimators, and signal
 * @param interval method
 * @param logs on which there was an interval
 * @param covered logs whose interval held the truth
 * @param absent logs without an interval
 */
public record CoverageCell(
    String study,
    int decisions,
    String estimated,
    String interval,
    Expectation expectation,
    long logs,
    long covered,
    long absent) {
  private static final double LOWEST = 0.93;
  private static final double HIGHEST = 0.97;
  private static final double LEVEL = 0.95;

  /** In [0, 1]; a log without an interval is one that does not contain the truth. */
  public double share() {
    return logs + absent == 0 ? 0 : (double) covered / (logs + absent);
  }

  /** Monte Carlo standard error of the share. */
  public double standardError() {
    double share = share();
    return Math.sqrt(share * (1 - share) / Math.max(1, logs + absent));
  }

  public boolean isExact() {
    return expectation == Expectation.EXACT;
  }

  /** Whether it is as expected; nothing is expected of those that miss. */
  public boolean isMet() {
    return switch (expectation) {
      case EXACT -> share() >= LOWEST && share() <= HIGHEST;
      case AT_LEAST -> share() >= LEVEL - 2 * standardError();
      case MISSES, TOO_FEW -> true;
    };
  }
}
