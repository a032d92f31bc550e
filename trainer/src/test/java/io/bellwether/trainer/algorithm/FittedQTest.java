package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.evaluation.episode.FittedValueException;
import io.bellwether.evaluation.episode.ValueBound;
import io.bellwether.trainer.network.NetworkConfig;
import org.junit.jupiter.api.Test;

class FittedQTest {

  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();
  private static final double DISCOUNT = 0.9;

  private static TrainingPlan plan(long steps) {
    return TrainingPlan.of(5, steps)
        .withBatchSize(128)
        .withLearningRate(3e-3)
        .withNetworks(new NetworkConfig(16, 8, 8));
  }

  @Test
  void valuesOfBothPoliciesAreThoseOfTheProcess() {
    KnownProcess process = new KnownProcess(1);
    LearnerData data = process.sessions(600, 25);
    double[][] logging = KnownProcess.LOGGING;
    float[][] chances = {
      process.chances(data, KnownProcess.TARGET), process.chances(data, logging)
    };
    FittedCritic critic =
        new FittedQ(ENVIRONMENT).fit(process.schema(), data, chances, DISCOUNT, plan(600));
    FittedCritic.Values values = critic.of(ENVIRONMENT, data, chances);
    double[][] target = process.stateValues(KnownProcess.TARGET, DISCOUNT);
    double[][] baseline = process.stateValues(logging, DISCOUNT);
    for (int signal = 0; signal < 2; signal++) {
      assertClose(target[signal], process.meanByState(data, values.expected()[0][signal]));
      assertClose(baseline[signal], process.meanByState(data, values.expected()[1][signal]));
    }
    // the policies differ by more than what is allowed for noise
    assertTrue(Math.abs(target[0][0] - baseline[0][0]) > 0.15 * Math.abs(baseline[0][0]));
  }

  private static void assertClose(double[] expected, double[] found) {
    for (int state = 0; state < expected.length; state++) {
      assertEquals(expected[state], found[state], 0.07 * Math.abs(expected[state]) + 0.02);
    }
  }

  @Test
  void theSameDataGiveTheSameValuesInAnyOrderOfRuns() {
    KnownProcess process = new KnownProcess(2);
    LearnerData data = process.sessions(60, 8);
    float[][] chances = {process.chances(data, KnownProcess.TARGET)};
    FittedQ fitted = new FittedQ(ENVIRONMENT);
    FittedCritic once = fitted.fit(process.schema(), data, chances, DISCOUNT, plan(60));
    FittedCritic again = fitted.fit(process.schema(), data, chances, DISCOUNT, plan(60));
    assertArrayEquals(once.critic().values(), again.critic().values());
  }

  @Test
  void returnsAreDiscountedUpToTheEndOrTheCut() {
    KnownProcess process = new KnownProcess(3);
    LearnerData data = process.sessions(20, 6);
    float[] returns = FittedQ.returns(data, 0.5);
    for (int row = 0; row < data.rows(); row++) {
      double expected = 0;
      double weight = 1;
      int at = row;
      while (at >= 0) {
        expected += weight * data.rewards()[at * 2];
        weight /= 2;
        at = data.terminated()[at] ? -1 : data.next()[at];
      }
      assertEquals(expected, returns[row * 2], 1e-5);
    }
  }

  @Test
  void aDiscountOfOneHasNoValues() {
    KnownProcess process = new KnownProcess(4);
    LearnerData data = process.sessions(5, 3);
    float[][] chances = {process.chances(data, KnownProcess.TARGET)};
    assertThrows(
        IllegalArgumentException.class,
        () -> new FittedQ(ENVIRONMENT).fit(process.schema(), data, chances, 1, plan(10)));
  }

  @Test
  void valuesThatRunAwayAreRefused() {
    KnownProcess process = new KnownProcess(5);
    LearnerData data = process.sessions(60, 8);
    // no policy: every round multiplies what is still to come
    float[] chances = process.chances(data, KnownProcess.TARGET);
    for (int i = 0; i < chances.length; i++) {
      chances[i] *= 4;
    }
    assertThrows(
        FittedValueException.class,
        () ->
            new FittedQ(ENVIRONMENT)
                .fit(process.schema(), data, new float[][] {chances}, DISCOUNT, plan(3000)));
    assertEquals(20, ValueBound.discounted(1, DISCOUNT).bound(), 1e-9);
  }
}
