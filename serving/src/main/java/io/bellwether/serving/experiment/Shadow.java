package io.bellwether.serving.experiment;

/**
 * A variant to be scored beside live decisions and not shown.
 *
 * @param version a version's id, {@code uniform} or {@code as-given}
 * @param share of the surface's decisions that are to be scored, basis points
 */
public record Shadow(
    ExperimentState state, Phase phase, Variant variant, String version, int share) {

  /** Whether a decision is among those to be scored; drawn by the decision's id. */
  public boolean takes(String decisionId) {
    return share >= Bucket.COUNT
        || Bucket.of(state.declaration().salt() + ".shadow", decisionId) < share;
  }
}
