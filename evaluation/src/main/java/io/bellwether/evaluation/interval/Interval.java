package io.bellwether.evaluation.interval;

/**
 * A two-sided confidence interval: the true value is missed with probability at most {@code 1 -
 * level} in total.
 *
 * @param method how it was computed
 * @param level nominal coverage in (0, 1)
 */
public record Interval(Method method, double level, double lower, double upper) {

  public enum Method {
    NORMAL,
    STUDENT,
    CLOPPER_PEARSON,
    PERCENTILE,
    BCA,
    HOEFFDING,
    EMPIRICAL_BERNSTEIN,
    TRUNCATED_EMPIRICAL_BERNSTEIN,
    BETTING,
    EMPIRICAL_BERNSTEIN_SEQUENCE,
    ASYMPTOTIC_SEQUENCE,
    MIXTURE_SEQUENCE,
    GROUP_SEQUENTIAL,
    RANDOMISATION,
    POSTERIOR
  }

  public Interval {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("a level lies in (0, 1), found " + level);
    }
    if (!(lower <= upper) || Double.isInfinite(lower) || Double.isInfinite(upper)) {
      throw new IllegalArgumentException("no interval: [%s, %s]".formatted(lower, upper));
    }
  }

  /** {@code mean ± z·standardError}. */
  public static Interval normal(double mean, double standardError, double level) {
    double half = Normal.quantile(1 - (1 - level) / 2) * standardError;
    return new Interval(Method.NORMAL, level, mean - half, mean + half);
  }

  /** {@code mean ± t·standardError}, with the degrees of freedom of the standard error. */
  public static Interval student(
      double mean, double standardError, double degreesOfFreedom, double level) {
    double half = StudentT.quantile(1 - (1 - level) / 2, degreesOfFreedom) * standardError;
    return new Interval(Method.STUDENT, level, mean - half, mean + half);
  }

  /**
   * Level of each of {@code count} two-sided intervals that shall hold together with probability
   * {@code level} (Bonferroni: the misses add up).
   */
  public static double simultaneousLevel(double level, int count) {
    return 1 - (1 - level) / count;
  }

  public boolean contains(double value) {
    return lower <= value && value <= upper;
  }
}
