package io.bellwether.policy.scoring;

/**
 * The placements of one decision, position 0 first. The arrays are the slate's own and are not
 * copied.
 *
 * @param candidates indices into the request's candidates, each at most once
 * @param propensities chance of each placement given the earlier ones, in (0, 1]
 */
public record Slate(int[] candidates, double[] propensities) {

  public Slate {
    if (candidates.length != propensities.length) {
      throw new IllegalArgumentException(
          "%d candidates with %d propensities".formatted(candidates.length, propensities.length));
    }
  }

  /** How many positions are filled. */
  public int size() {
    return candidates.length;
  }
}
