package io.bellwether.evaluation.experiment;

import java.time.Duration;

/**
 * One step of a rollout plan: a share, and what must have been seen at it before the next.
 *
 * @param share of the experiment's traffic that the treatments get together, in basis points; 0 is
 *     a step in the shadow, 10,000 leaves no control
 * @param atLeast how long the step lasts at the least
 * @param unitsPerVariant units that every variant with traffic has at the least; at a step in the
 *     shadow, decisions that were scored
 */
public record RolloutStep(
    int share, Duration atLeast, long unitsPerVariant, OnPass onPass, OnFail onFail) {
  static final int EVERYBODY = 10_000;

  /** What happens when everything that the step asks for was seen. */
  public enum OnPass {
    ADVANCE,
    /** A person takes the step. */
    MANUAL
  }

  /** What happens when harm is shown; a crossed operational limit always takes the step back. */
  public enum OnFail {
    HOLD,
    ROLLBACK
  }

  public RolloutStep {
    if (share < 0 || share > EVERYBODY) {
      throw new IllegalArgumentException("a share lies in [0, 10000], found " + share);
    }
    if (atLeast.isNegative() || unitsPerVariant < 0) {
      throw new IllegalArgumentException(
          "at least %s, %d units per variant".formatted(atLeast, unitsPerVariant));
    }
  }

  /** Goes on by itself and takes itself back. */
  public static RolloutStep of(int share, Duration atLeast, long unitsPerVariant) {
    return new RolloutStep(share, atLeast, unitsPerVariant, OnPass.ADVANCE, OnFail.ROLLBACK);
  }
}
