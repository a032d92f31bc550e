package io.bellwether.evaluation.support;

/**
 * How far the log covers one item (or all the others together).
 *
 * @param shown how often it was
 * @param loggingMass Σ of its propensities
 * @param targetMass Σ of its target probabilities
 * @param targetShare the latter per decision
 * @param meanWeight of the decisions that showed it, 0 where none did
 * @param effectiveSampleSize of the same
 * @param smallestPropensity above 0 with which it was a candidate, 0 if there was none
 */
public record ActionOverlap(
    String item,
    long shown,
    double loggingMass,
    double targetMass,
    double targetShare,
    double meanWeight,
    double effectiveSampleSize,
    double smallestPropensity) {
  private static final double SHARE_THAT_MATTERS = 0.01;
  private static final long FEW_SHOWN = 20;

  /** Whether the target relies on an item that the log hardly knows. */
  public boolean warns() {
    return targetShare > SHARE_THAT_MATTERS && shown < FEW_SHOWN;
  }
}
