package io.bellwether.serving.experiment;

import java.time.Duration;

/**
 * A step of a rollout plan.
 *
 * @param share of all treatments together, basis points; 0: they are only scored, not shown
 * @param atLeast how long it lasts at least
 * @param unitsPerVariant how many units each variant has at least before the step ends; for a share
 *     of 0 how many requests are scored
 * @param onPass what happens when all its conditions hold
 * @param onFail what happens when its gate says no
 */
public record Step(
    int share, Duration atLeast, long unitsPerVariant, OnPass onPass, OnFail onFail) {

  public Step {
    if (share < 0 || share > Bucket.COUNT || atLeast.isNegative() || unitsPerVariant < 0) {
      throw new IllegalArgumentException(
          "a step of %d basis points, %s, %d units".formatted(share, atLeast, unitsPerVariant));
    }
  }

  /** What happens when a step's conditions hold. */
  public enum OnPass {
    ADVANCE,
    /** A person is waited for. */
    MANUAL
  }

  /** What happens when a step's gate says no. */
  public enum OnFail {
    HOLD,
    ROLLBACK
  }

  /** Whether treatments are only scored. */
  public boolean shadow() {
    return share == 0;
  }
}
