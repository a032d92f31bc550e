package io.bellwether.evaluation.interval;

/**
 * How many observations a question needs, and what a number of them can answer, by the normal
 * approximation. Sizes are not rounded.
 *
 * @param alphaPerSide chance of claiming an effect in one direction that is not there
 * @param power chance of claiming one that is there
 */
public record SampleSize(double alphaPerSide, double power) {

  public SampleSize {
    if (!(alphaPerSide > 0 && alphaPerSide < 0.5) || !(power > alphaPerSide && power < 1)) {
      throw new IllegalArgumentException(
          "alpha %s per side, power %s".formatted(alphaPerSide, power));
    }
  }

  /** For a bound on one side. */
  public static SampleSize oneSided(double alpha, double power) {
    return new SampleSize(alpha, power);
  }

  /** For an interval that shares alpha between its sides. */
  public static SampleSize twoSided(double alpha, double power) {
    return new SampleSize(alpha / 2, power);
  }

  /**
   * Decisions of a log that show an effect: ((z_{1−α} + z_{power})·spread/effect)².
   *
   * @param spread standard deviation of the influence values, at least 0
   * @param effect above 0, in the same unit
   */
  public double decisions(double spread, double effect) {
    double ratio = quantiles() * spread / positive(effect);
    return ratio * ratio;
  }

  /** The smallest effect that so many decisions show. */
  public double detectable(double spread, double decisions) {
    return quantiles() * spread / Math.sqrt(positive(decisions));
  }

  /** The chance that so many decisions show the effect, at this alpha. */
  public double powerOf(double spread, double effect, double decisions) {
    double distance = positive(effect) * Math.sqrt(decisions) / positive(spread);
    return Normal.cumulative(distance - Normal.quantile(1 - alphaPerSide));
  }

  /** Observations per variant that show a difference of two means with one spread. */
  public double twoMeans(double spread, double difference) {
    return 2 * decisions(spread, difference);
  }

  /** Observations per variant that show the difference of two rates in [0, 1]. */
  public double twoProportions(double first, double second) {
    double spread = Math.sqrt(first * (1 - first) + second * (1 - second));
    return decisions(spread, Math.abs(second - first));
  }

  /** What a covariate with that correlation to the metric leaves of the sizes: 1 − ρ². */
  public static double covariateFactor(double correlation) {
    return 1 - correlation * correlation;
  }

  private double quantiles() {
    return Normal.quantile(1 - alphaPerSide) + Normal.quantile(power);
  }

  private static double positive(double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("only sizes above 0 can be seen, found " + value);
    }
    return value;
  }
}
