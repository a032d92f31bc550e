package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SoftOptimumTest {
  private static final double[] LOGGING = {0.2, 0.5, 0.3};

  private static final ConstrainedProcess THREE_ARMS =
      new ConstrainedProcess(
          new double[][][] {{{0}, {0}, {0}}},
          new double[][][] {{{1, 0.5, 0}}},
          new double[] {1},
          0);

  private static SoftOptimum soft(ConstrainedProcess process, double temperature) {
    return SoftOptimum.of(process, process.rewards()[0], temperature, process.uniform());
  }

  @Test
  void threeArmsHaveThePublishedSoftmax() {
    SoftOptimum optimum = soft(THREE_ARMS, 0.5);
    assertArrayEquals(new double[] {0.665241, 0.244728, 0.090031}, optimum.policy()[0], 1e-6);
    assertEquals(1.203803, optimum.stateValues()[0], 1e-6);
  }

  @Test
  void tiltingTheLogGivesThePublishedPolicy() {
    double[][] logPrior = {{Math.log(0.2), Math.log(0.5), Math.log(0.3)}};
    assertArrayEquals(
        new double[] {0.471098, 0.433268, 0.095634},
        TiltedPolicy.of(logPrior, THREE_ARMS.rewards()[0], 0.5)[0],
        1e-6);
    assertEquals(0.45, THREE_ARMS.values(new double[][] {LOGGING})[0], 1e-12);
  }

  @Test
  void twoStatesHaveThePublishedSoftOptimum() {
    ConstrainedProcess process = KnownTasks.freshOrTired(0.7).process();
    SoftOptimum optimum = soft(process, 0.2);
    assertArrayEquals(new double[] {7.313922, 7.206909}, optimum.actionValues()[0], 1e-6);
    assertArrayEquals(new double[] {6.538129, 6.672519}, optimum.actionValues()[1], 1e-6);
    assertArrayEquals(new double[] {7.406118, 6.755035}, optimum.stateValues(), 1e-6);
    assertEquals(0.630663, optimum.policy()[0][0], 1e-6);
    assertEquals(0.338060, optimum.policy()[1][0], 1e-6);
    assertEquals(6.106495, process.values(optimum.policy())[0], 1e-6);
  }

  @Test
  void aColdPolicyTakesTheBestActions() {
    ConstrainedProcess process = KnownTasks.session("free").process();
    assertEquals(11.099658, process.values(soft(process, 1e-3).policy())[0], 1e-6);
  }

  @Test
  void softSolutionsOfTwoStatesUnderALimitAreThePublishedOnes() {
    double[][] published = {{0.05, 1.967829, 5.949847}, {0.02, 1.768446, 5.955209}};
    for (double[] known : published) {
      assertArrayEquals(new double[] {known[1], known[2]}, atTheLimit(known[0]), 1e-6);
    }
  }

  /** Multiplier and value where the soft policy just keeps the limit, by bisection. */
  private static double[] atTheLimit(double temperature) {
    ConstrainedTask task = KnownTasks.freshOrTired(0.7);
    ConstrainedProcess process = task.process();
    double low = 0;
    double high = 5;
    double[] values = new double[2];
    for (int half = 0; half < 60; half++) {
      double price = (low + high) / 2;
      double[][] reward = task.pricedReward(new double[] {price});
      values =
          process.values(SoftOptimum.of(process, reward, temperature, process.uniform()).policy());
      if (values[1] < 0.7) {
        low = price;
      } else {
        high = price;
      }
    }
    return new double[] {low, values[0]};
  }
}
