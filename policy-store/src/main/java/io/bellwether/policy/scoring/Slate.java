package io.bellwether.policy.scoring;

/**
 * The placements of one decision, position 0 first: indices into the request's candidates, each at
 * most once, and the chance of each placement given the earlier ones. The arrays are not copied.
 */
public final class Slate {

  private final int[] candidates;
  private final double[] propensities;

  /** A slate of these candidates, placed with these propensities; takes the arrays over. */
  public Slate(int[] candidates, double[] propensities) {
    if (candidates.length != propensities.length) {
      throw new IllegalArgumentException(
          "%d candidates with %d propensities".formatted(candidates.length, propensities.length));
    }
    this.candidates = candidates;
    this.propensities = propensities;
  }

  /** How many positions are filled. */
  public int size() {
    return candidates.length;
  }

  /** Indices into the request's candidates, by position. */
  public int[] candidates() {
    return candidates;
  }

  /** Chance of each placement given the earlier ones, in (0, 1], by position. */
  public double[] propensities() {
    return propensities;
  }
}
