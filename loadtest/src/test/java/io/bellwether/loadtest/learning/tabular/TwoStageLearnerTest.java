package io.bellwether.loadtest.learning.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TwoStageLearnerTest {
  private static final ConstrainedTask TASK = KnownTasks.freshOrTired(0.7);
  private static final ConstrainedProcess PROCESS = TASK.process();

  /** Λ, main value, auxiliary value, gap to the exact frontier; λ of stage one is 0.05. */
  private static final double[][] PUBLISHED = {
    {1.0, 5.70547, 0.81163, 0.0665},
    {0.3, 5.76245, 0.78063, 0.0604},
    {0.1, 5.96445, 0.66899, 0.0417},
    {0.05, 6.23721, 0.51859, 0.0158},
    {0.03, 6.43080, 0.40860, 0.0028},
    {0.02, 6.51140, 0.36106, 0.0003},
    {0.01, 6.53202, 0.34868, 0.0000}
  };

  @Test
  void stageOneComesToThePublishedPolicy() {
    double[][] auxiliary = new TwoStageLearner(PROCESS, 0.05).stageOne(TASK.limits().get(0));
    assertArrayEquals(new double[] {5.684410, 0.822789}, PROCESS.values(auxiliary), 1e-6);
  }

  @Test
  void stageTwoSweepsThePublishedFrontier() {
    TwoStageLearner learner = new TwoStageLearner(PROCESS, 0.05);
    List<double[][]> auxiliary = learner.stageOne(TASK.limits());
    for (double[] known : PUBLISHED) {
      double[] values = PROCESS.values(learner.stageTwo(auxiliary, known[0]));
      assertArrayEquals(new double[] {known[1], known[2]}, values, 6e-6);
      assertEquals(known[3], frontier(values[1]) - values[0], 6e-5);
    }
  }

  @Test
  void aSharperStageOneBringsStageTwoToTheFrontier() {
    TwoStageLearner learner = new TwoStageLearner(PROCESS, 0.02);
    List<double[][]> auxiliary = learner.stageOne(TASK.limits());
    assertArrayEquals(
        new double[] {6.01649, 0.66241}, PROCESS.values(learner.stageTwo(auxiliary, 0.03)), 6e-6);
    for (double[] known : PUBLISHED) {
      double[] values = PROCESS.values(learner.stageTwo(auxiliary, known[0]));
      assertTrue(frontier(values[1]) - values[0] < 0.006);
    }
  }

  private static double frontier(double auxiliary) {
    return 6.532110 - 110.0 / 67 * (auxiliary - 0.348624);
  }

  @Test
  void theClosedFormOfThreeArmsIsThePublishedOne() {
    double[][] advantages = {{0.55, 0.05, -0.45}};
    List<double[][]> auxiliary =
        List.of(new double[][] {{0.1, 0.3, 0.6}}, new double[][] {{0.3, 0.3, 0.4}});
    double[][] weights = {{0.5, 0.5}, {0.1, 0.1}, {1, 0.25}};
    double[][] policies = {
      {0.323513, 0.339864, 0.336622}, {0.861153, 0.122435, 0.016412}, {0.216925, 0.350179, 0.432896}
    };
    double[] optima = {-0.074764, 0.229241, -0.143326};
    for (int i = 0; i < optima.length; i++) {
      double total = weights[i][0] + weights[i][1];
      double[] shares = {weights[i][0] / total, weights[i][1] / total};
      double[][] policy =
          TiltedPolicy.of(TwoStageLearner.logMean(auxiliary, shares), advantages, total);
      assertArrayEquals(policies[i], policy[0], 1e-6);
      double value = 0;
      for (int arm = 0; arm < 3; arm++) {
        double chance = policy[0][arm];
        value += chance * advantages[0][arm];
        for (int k = 0; k < 2; k++) {
          value -= weights[i][k] * chance * Math.log(chance / auxiliary.get(k)[0][arm]);
        }
      }
      assertEquals(optima[i], value, 1e-6);
    }
  }

  @Test
  void theSmallestTotalThatKeepsALimitLeavesNoSlackToSpeakOf() {
    double[][] policy = new TwoStageLearner(PROCESS, 0.02).smallestThatKeeps(TASK, 3, 0.001);
    double[] values = PROCESS.values(policy);
    assertTrue(values[1] >= 0.7 && values[1] < 0.703);
    assertEquals(5.955224, values[0], 0.01);
  }
}
