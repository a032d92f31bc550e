package io.bellwether.evaluation.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TabularFittedQTest {

  private static final double[][] SURE = {{1}};

  /** One state, one action, reward 1. */
  private static TabularEpisodes one(int steps, int lastNext) {
    double[] ones = new double[steps];
    Arrays.fill(ones, 1);
    int[] next = new int[steps];
    next[steps - 1] = lastNext;
    return new TabularEpisodes(
        new int[] {0, steps}, new int[steps], new int[steps], ones, ones, next, 1, 1);
  }

  @Test
  void anEndHasNoFutureAndACutHasOne() {
    TabularFittedQ fitted = new TabularFittedQ(SURE, 0.5);
    // two ends and two cuts after one step: half of the rows go on
    TabularEpisodes ended = one(1, -1);
    assertEquals(1, fitted.value(fitted.stationary(ended, all -> true), ended), 1e-9);
    TabularEpisodes cut = one(1, 0);
    assertEquals(2, fitted.value(fitted.stationary(cut, all -> true), cut), 1e-3);
  }

  @Test
  void stepsCountBackwardsFromTheLongestEpisode() {
    TabularEpisodes log = one(3, -1);
    TabularFittedQ fitted = new TabularFittedQ(SURE, 0.5);
    FittedValues values = fitted.finite(log, all -> true);
    assertEquals(1.75, fitted.value(values, log), 1e-12);
    assertEquals(1, values.stateValue(2, 0), 1e-12);
    assertEquals(0, values.stateValue(3, 0));
    assertEquals(0, values.stateValue(1, -1));
  }

  @Test
  void whatWasNeverLearnedIsWorthNothing() {
    TabularEpisodes log = one(3, -1);
    StepValues values = new TabularFittedQ(SURE, 0.5).crossFitted(log, episode -> true).values();
    assertEquals(0, values.prediction().get(0));
  }

  @Test
  void aCutEpisodeIsFollowedByWhatTheOthersExpect() {
    // the first episode is cut after one step, the second has two and ends
    double[] ones = {1, 1, 1};
    TabularEpisodes log =
        new TabularEpisodes(
            new int[] {0, 1, 3}, new int[3], new int[3], ones, ones, new int[] {0, 0, -1}, 1, 1);
    StepValues values =
        new TabularFittedQ(SURE, 0.5).crossFitted(log, episode -> episode == 0).values();
    assertEquals(1, values.beyond()[0], 1e-12);
    assertEquals(0, values.beyond()[1], 1e-12);
  }

  @Test
  void valuesStandStillWhereTheProcessSaysSo() {
    TabularEpisodes log = SyntheticEpisodes.tabular();
    double discount = 0.6;
    TabularFittedQ fitted = new TabularFittedQ(SyntheticEpisodes.TARGET, discount);
    FittedValues values = fitted.stationary(log, all -> true);
    assertTrue(values.rounds() < 200);
    double[][] found = values.actionValues()[0];
    // one more round by hand moves nothing
    double[] sum = new double[8];
    int[] count = new int[8];
    for (int row = 0; row < log.rows(); row++) {
      int cell = log.state()[row] * 2 + log.action()[row];
      sum[cell] += log.reward()[row] + discount * values.stateValue(0, log.next()[row]);
      count[cell]++;
    }
    for (int cell = 0; cell < 8; cell++) {
      assertEquals(sum[cell] / count[cell], found[cell / 2][cell % 2], 1e-3);
    }
  }

  @Test
  void valuesBeyondWhatRewardsAllowAreRefused() {
    ValueBound bound = ValueBound.discounted(3, 0.5);
    bound.check(12);
    FittedValueException refused =
        assertThrows(FittedValueException.class, () -> bound.check(-12.1));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("FQE_DIVERGED"));
    assertThrows(FittedValueException.class, () -> bound.check(Double.NaN));
  }

  @Test
  void chancesThatAreNoPolicyAreRefused() {
    TabularEpisodes log = one(1, -1);
    assertThrows(
        IllegalArgumentException.class,
        () -> new TabularFittedQ(new double[][] {{1.1}}, 0.9).stationary(log, all -> true));
    assertThrows(
        IllegalArgumentException.class,
        () -> new TabularFittedQ(new double[][] {{Double.NaN}}, 0.9).finite(log, all -> true));
  }
}
