package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.SlateRules;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SlateWeightsTest {

  private static final double[] LOGGING = {0.4, 0.3, 0.2, 0.1};
  private static final double[] TARGET = {0.1, 0.2, 0.3, 0.4};

  @Test
  void thePolicyThatLoggedTheSlateHasWeightsOfOne() {
    int[] slate = {2, 0};
    assertArrayEquals(new double[] {1, 1}, SlateWeights.ofSlots(LOGGING, LOGGING, slate), 1e-12);
    assertEquals(1, SlateWeights.ofSlate(LOGGING, LOGGING, slate), 1e-9);
  }

  @Test
  void theChanceOfAnItemAtTheSecondPlaceIsSummedOverTheFirst() {
    double target = 0;
    double logging = 0;
    for (int first : new int[] {0, 1, 3}) {
      target += TARGET[first] * TARGET[2] / (1 - TARGET[first]);
      logging += LOGGING[first] * LOGGING[2] / (1 - LOGGING[first]);
    }
    double[] weights = SlateWeights.ofSlots(TARGET, LOGGING, new int[] {0, 2});
    assertEquals(TARGET[0] / LOGGING[0], weights[0], 1e-12);
    assertEquals(target / logging, weights[1], 1e-10);
  }

  @Test
  void theMeanOfPseudoInverseWeightsIsOne() {
    double mean = 0;
    for (int first = 0; first < 4; first++) {
      for (int second = 0; second < 4; second++) {
        if (first != second) {
          double chance = LOGGING[first] * LOGGING[second] / (1 - LOGGING[first]);
          mean += chance * SlateWeights.ofSlate(TARGET, LOGGING, new int[] {first, second});
        }
      }
    }
    assertEquals(1, mean, 1e-9);
  }

  @Test
  void aPolicyThatCannotFillTheSlateAndTooManySlatesHaveNoWeight() {
    double[] one = {1, 0, 0, 0};
    assertTrue(Double.isNaN(SlateWeights.ofSlots(one, LOGGING, new int[] {0, 1})[1]));
    assertTrue(Double.isNaN(SlateWeights.ofSlate(one, LOGGING, new int[] {0, 1})));
    double[] many = new double[40];
    Arrays.fill(many, 1.0 / 40);
    assertTrue(Double.isNaN(SlateWeights.ofSlate(many, many, new int[] {0, 1})));
    assertEquals(1, SlateWeights.ofSlots(many, many, new int[] {7, 1})[1], 1e-12);
  }

  @Test
  void itemsThatAreAlikeShareTheirWeight() {
    RowChances chances = new RowChances();
    int[] clusters = {0, 1, 0, 1};
    double[] weights =
        chances.clusterWeights(SlateRules.NONE, TARGET, LOGGING, new int[] {2, 3}, clusters);
    assertEquals(0.4 / 0.6, weights[0], 1e-12);
    // of 0, 1 and 3, which are left
    assertEquals(0.4 / 0.6 * (0.6 / 0.7) / (0.4 / 0.8), weights[1], 1e-12);
    assertArrayEquals(
        new double[] {TARGET[1] / LOGGING[1]},
        chances.clusterWeights(
            SlateRules.NONE, TARGET, LOGGING, new int[] {1}, new int[] {0, 1, 2, 3}),
        1e-12);
  }
}
