package io.bellwether.evaluation.support;

/**
 * Candidates whose propensity lies in one range: how often one of them should have been shown, and
 * how often one was.
 *
 * @param lower smallest propensity that belongs here
 * @param upper first that does not; 1 does
 * @param candidates how many there were
 * @param meanPropensity of them, 0 where there were none
 * @param observedShare of them that were shown, 0 where there were none
 * @param expected Σ propensity
 * @param z (shown − expected) / its standard deviation, cut at ±1e6; 0 where fewer than five were
 *     to be expected, which no normal distribution describes
 */
public record PropensityBin(
    double lower,
    double upper,
    long candidates,
    double meanPropensity,
    double observedShare,
    double expected,
    double z) {
  private static final double WARN_Z = 3;

  /** Whether the bin is further from its expectation than chance explains. */
  public boolean warns() {
    return Math.abs(z) > WARN_Z;
  }
}
