package io.bellwether.evaluation.interval;

/**
 * Exact one-sided bounds of a binomial rate: each is wrong with probability at most alpha.
 *
 * <p>Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case
 * of the binomial", 1934.
 */
public record ClopperPearson(long successes, long trials) {

  public ClopperPearson {
    if (trials < 1 || successes < 0 || successes > trials) {
      throw new IllegalArgumentException("%d successes of %d trials".formatted(successes, trials));
    }
  }

  public double lower(double alpha) {
    return successes == 0
        ? 0
        : IncompleteBeta.inverse(alpha, (double) successes, (double) trials - successes + 1);
  }

  public double upper(double alpha) {
    return successes == trials
        ? 1
        : IncompleteBeta.inverse(1 - alpha, successes + 1.0, (double) trials - successes);
  }

  /** The two-sided interval with half of the miss probability on each side. */
  public Interval interval(double level) {
    double alpha = (1 - level) / 2;
    return new Interval(Interval.Method.CLOPPER_PEARSON, level, lower(alpha), upper(alpha));
  }
}
