package io.bellwether.serving.fallback;

import io.bellwether.ingestion.surface.Surface.Fallback;
import io.bellwether.policy.scoring.Exploration;

/**
 * Who answers in a policy's place. The slate is drawn from the logits where there is a choice, and
 * is the caller's own order otherwise. The array is not copied.
 *
 * @param fallback which link of the surface's chain it is
 * @param policy the word that is logged in place of a version
 * @param logits {@code [candidates]}, finite; zeros where nobody is preferred
 * @param exploration how a slate is to be drawn from them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StandIn(Fallback fallback, String policy, float[] logits, Exploration exploration) {

  /**
   * Whether another slate could have come out, so that something can be learned from this one. If
   * not, every propensity is 1.
   */
  public boolean randomises() {
    return fallback != Fallback.AS_GIVEN;
  }
}
