package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PolicyEstimateTest {
  private static final float[] REWARDS = {1, 0, 2, 1, 4, 0};

  private static Promise atLeast(Promise.Bound bound) {
    return new Promise(1, Promise.Sense.AT_LEAST, bound);
  }

  @Test
  void meansAreWeightedAndDividedByTheWeights() {
    PolicyEstimate estimate = PolicyEstimate.of(new double[] {2, 1, 1}, REWARDS, 2);
    assertArrayEquals(new double[] {2, 0.25}, estimate.mean());
    assertArrayEquals(new double[] {7 / 3.0, 1 / 3.0}, estimate.logMean(), 1e-12);
    assertEquals(16 / 6.0, estimate.effectiveSampleSize(), 1e-12);
  }

  @Test
  void theErrorOfAnAbsoluteBoundIsThatOfTheWeightedMean() {
    PolicyEstimate estimate = PolicyEstimate.of(new double[] {2, 1, 1}, REWARDS, 2);
    // Σ w² (r - mean)² / (Σ w)² = (4 · 0.0625 + 0.5625 + 0.0625) / 16.
    assertEquals(
        Math.sqrt(0.875 / 16), estimate.standardError(atLeast(new Promise.Absolute(0.2))), 1e-12);
  }

  @Test
  void aPolicyThatIsTheLogIsSurelyAsGoodAsTheLog() {
    PolicyEstimate estimate = PolicyEstimate.of(new double[] {1, 1, 1}, REWARDS, 2);
    Promise promise = atLeast(new Promise.ShareOfLog(1));
    assertEquals(0, estimate.standardError(promise), 1e-12);
    assertEquals(0, estimate.shortfall(promise, 3), 1e-12);
  }

  @Test
  void aShortfallCountsTheMarginAndTheSideOfTheBound() {
    PolicyEstimate estimate = PolicyEstimate.of(new double[] {2, 1, 1}, REWARDS, 2);
    double error = Math.sqrt(0.875 / 16);
    Promise.Absolute bound = new Promise.Absolute(0.2);
    assertEquals(-0.25, estimate.shortfall(atLeast(bound), 0), 1e-12);
    assertEquals((2 * error - 0.05) / 0.2, estimate.shortfall(atLeast(bound), 2), 1e-12);
    Promise atMost = new Promise(1, Promise.Sense.AT_MOST, bound);
    assertEquals((2 * error + 0.05) / 0.2, estimate.shortfall(atMost, 2), 1e-12);
  }
}
