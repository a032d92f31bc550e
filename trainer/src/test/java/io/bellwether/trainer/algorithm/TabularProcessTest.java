package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fixtures are what ALGORITHMS.md says, and learners meet the processes that they describe. */
class TabularProcessTest {
  private static final double[][] EVENLY = {{0.5, 0.5}, {0.5, 0.5}};

  private static double[][] always(int fresh, int tired) {
    double[][] policy = new double[2][2];
    policy[0][fresh] = 1;
    policy[1][tired] = 1;
    return policy;
  }

  @Test
  void valuesOfTheEvenPolicyAreThePublishedOnes() {
    TabularProcess process = TabularProcess.freshOrTired();
    assertArrayEquals(
        new double[] {5.930657, 5.273723},
        process.stateValues(EVENLY, TabularProcess.MAIN, TabularProcess.DISCOUNT),
        1e-6);
    assertArrayEquals(
        new double[] {0.439051, 0.387956},
        process.stateValues(EVENLY, TabularProcess.AUXILIARY, TabularProcess.DISCOUNT),
        1e-6);
    double[][] values = process.actionValues(EVENLY, TabularProcess.MAIN, TabularProcess.DISCOUNT);
    assertArrayEquals(new double[] {5.982847, 5.878467}, values[0], 1e-6);
    assertArrayEquals(new double[] {5.205474, 5.341971}, values[1], 1e-6);
  }

  @Test
  void valuesOfThePoliciesWithoutChanceAreThePublishedOnes() {
    double[][] published = {
      {5.561644, 0.052055}, {6.532110, 0.348624}, {5.357143, 0.678571}, {5.578125, 0.929688}
    };
    TabularProcess process = TabularProcess.freshOrTired();
    for (int policy = 0; policy < 4; policy++) {
      double[][] actions = always(policy / 2, policy % 2);
      for (int signal = 0; signal < 2; signal++) {
        double[] values = process.stateValues(actions, signal, TabularProcess.DISCOUNT);
        assertEquals(published[policy][signal], process.atStart(values), 1e-6);
      }
    }
  }

  @Test
  void transitionsStandAsOftenAsTheyHappen() {
    TabularProcess process = TabularProcess.freshOrTired();
    LearnerData repeated = process.repeated(20);
    LearnerData weighted = process.weighted();
    assertEquals(40, repeated.rows());
    assertEquals(8, weighted.rows());
    for (LearnerData data : List.of(repeated, weighted)) {
      double[][][] found = new double[2][2][2];
      double total = 0;
      for (int row = 0; row < data.rows(); row++) {
        int next = process.state(data, data.next()[row]);
        found[process.state(data, row)][data.action()[row]][next] += data.weight()[row];
        total += data.weight()[row];
      }
      assertEquals(data.rows(), total, 1e-5);
      for (int state = 0; state < 2; state++) {
        for (int action = 0; action < 2; action++) {
          double[] expected = new double[2];
          for (int next = 0; next < 2; next++) {
            expected[next] = data.rows() * process.transition()[state][action][next] / 4;
          }
          assertArrayEquals(expected, found[state][action], 1e-5);
        }
      }
    }
  }

  @Test
  void onlyRowsOfTheFirstStateFollowNoOther() {
    TabularProcess process = TabularProcess.freshOrTired();
    for (LearnerData data : List.of(process.repeated(20), process.weighted())) {
      boolean[] follows = new boolean[data.rows()];
      for (int next : data.next()) {
        follows[next] = true;
      }
      int first = 0;
      for (int row = 0; row < data.rows(); row++) {
        assertTrue(follows[row] || process.state(data, row) == 0);
        first += follows[row] ? 0 : 1;
      }
      assertTrue(first > 0);
    }
  }

  @Test
  void chancesThatDoNotDivideTheRowsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> TabularProcess.freshOrTired().repeated(10));
  }

  @Test
  void anExpectileCriticFindsThePublishedFixedPoint() {
    TabularProcess process = TabularProcess.freshOrTired();
    LearnerData data = process.repeated(20);
    ConstrainedActorCritic.Config config =
        ConstrainedActorCritic.Config.DEFAULT.withDiscount(TabularProcess.DISCOUNT);
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                new ConstrainedActorCritic(config, List.of(), MultiplierConfig.DEFAULT),
                process.schema(),
                data,
                TrainingPlan.of(3, 2500)
                    .withBatchSize(data.rows())
                    .withLearningRate(3e-3)
                    .withNetworks(new NetworkConfig(16, 8, 8)),
                ProgressListener.NONE);
    double[][] values = TabularAnswer.of(policy, process).actionValues()[TabularProcess.MAIN];
    assertArrayEquals(new double[] {6.202468, 6.094675}, values[0], 0.02 * 6.1);
    assertArrayEquals(new double[] {5.427143, 5.560909}, values[1], 0.02 * 5.5);
    assertEquals(6.202468 - 6.094675, values[0][0] - values[0][1], 0.02);
    assertEquals(5.560909 - 5.427143, values[1][1] - values[1][0], 0.02);
  }
}
