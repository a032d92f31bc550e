package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;

/**
 * The mixture sequential probability ratio test of "no difference": at most alpha of all
 * experiments without one ever reach a likelihood ratio of 1/alpha, however often one looks.
 * Immutable.
 *
 * <p>Source: Johari, Koomen, Pekelis and Walsh, "Always Valid Inference: Continuous Monitoring of
 * A/B Tests", 2022. Λ = √(V/(V+τ²)) · exp(τ²Δ²/(2V(V+τ²))).
 *
 * @param mixtureVariance τ², in squared units of the effect: about the square of an effect that is
 *     worth finding, fixed before the start
 */
public record MixtureSequentialTest(double mixtureVariance) {

  public MixtureSequentialTest {
    if (!(mixtureVariance > 0 && mixtureVariance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a variance above 0, found " + mixtureVariance);
    }
  }

  /**
   * ln Λ at this look.
   *
   * @param standardError of the effect, above 0
   */
  public double logLikelihoodRatio(double effect, double standardError) {
    double variance = variance(standardError);
    double total = variance + mixtureVariance;
    return Math.log(variance / total) / 2
        + mixtureVariance * effect * effect / (2 * variance * total);
  }

  /** The always-valid p-value at this look; the smallest so far is always valid as well. */
  public double pValue(double effect, double standardError) {
    return Math.min(1, Math.exp(-logLikelihoodRatio(effect, standardError)));
  }

  /** How far from the effect a difference lies that this look just does not reject at alpha. */
  public double margin(double alpha, double standardError) {
    double variance = variance(standardError);
    double total = variance + mixtureVariance;
    double evidence = Math.log(total / variance) / 2 - Math.log(alpha);
    return Math.sqrt(2 * variance * total / mixtureVariance * evidence);
  }

  /** Misses the true difference at any look with probability at most 1 − level. */
  public Interval interval(double effect, double standardError, double level) {
    double half = margin(1 - level, standardError);
    return new Interval(Interval.Method.MIXTURE_SEQUENCE, level, effect - half, effect + half);
  }

  private static double variance(double standardError) {
    if (!(standardError > 0 && standardError < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a standard error above 0, found " + standardError);
    }
    return standardError * standardError;
  }
}
