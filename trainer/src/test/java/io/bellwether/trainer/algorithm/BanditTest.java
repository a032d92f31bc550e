package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Learners on bandits whose answers are known in closed form. */
class BanditTest {
  private static final NetworkSchema THREE_ARMS = Bandits.schema(3, "reward");
  private static final float[][] REWARDS = {{1}, {0.5f}, {0}};

  /** Standard deviation of the reward under the logging policy (0.2, 0.5, 0.3). */
  private static final double DEVIATION = 0.35;

  private static final TrainingPlan PLAN =
      TrainingPlan.of(7, 2000)
          .withBatchSize(100)
          .withLearningRate(3e-3)
          .withNetworks(new NetworkConfig(16, 8, 8));

  private static LearnerData threeArms() {
    return Bandits.log(THREE_ARMS, new int[] {20, 50, 30}, REWARDS);
  }

  private static TrainedPolicy train(
      Algorithm algorithm, NetworkSchema schema, LearnerData data, TrainingPlan plan) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, schema, data, plan, ProgressListener.NONE);
  }

  @Test
  void theCloneOfALoggingPolicyIsThatPolicy() {
    TrainedPolicy clone = train(BehaviourCloning.DEFAULT, THREE_ARMS, threeArms(), PLAN);
    assertArrayEquals(
        new double[] {0.2, 0.5, 0.3},
        TrainingForward.of(clone, threeArms()).probabilities(0),
        1e-3);
  }

  @Test
  void advantageWeightedRegressionTiltsTheLogByTheAdvantage() {
    ConstrainedActorCritic.Config config =
        ConstrainedActorCritic.Config.DEFAULT
            .withObjectiveExpectile(0.5)
            .withInverseTemperature(3 * DEVIATION);
    TrainedPolicy policy =
        train(
            new ConstrainedActorCritic(config, List.of(), MultiplierConfig.DEFAULT),
            THREE_ARMS,
            threeArms(),
            PLAN);
    double[] probabilities = TrainingForward.of(policy, threeArms()).probabilities(0);
    assertArrayEquals(new double[] {0.612555, 0.341699, 0.045746}, probabilities, 0.02 * 0.34);
    assertEquals(0.783405, probabilities[0] + 0.5 * probabilities[1], 0.02 * 0.78);
  }

  @Test
  void stateValuesAreExpectilesOfTheReward() {
    for (double[] pair : new double[][] {{0.5, 0.45}, {0.7, 0.565789}, {0.9, 0.788462}}) {
      ConstrainedActorCritic.Config config =
          ConstrainedActorCritic.Config.DEFAULT.withObjectiveExpectile(pair[0]);
      TrainedPolicy policy =
          train(
              new ConstrainedActorCritic(config, List.of(), MultiplierConfig.DEFAULT),
              THREE_ARMS,
              threeArms(),
              PLAN);
      TrainingForward forward = TrainingForward.of(policy, threeArms());
      assertEquals(pair[1], forward.stateValue(0, 0), 0.01);
      assertEquals(1, forward.actionValue(0, 0, 0), 0.01);
      assertEquals(0.5, forward.actionValue(0, 1, 0), 0.01);
      assertEquals(0, forward.actionValue(0, 2, 0), 0.01);
    }
  }

  @Test
  void aRewardModelPredictsTheMeanRewardOfEachAction() {
    NetworkSchema schema = Bandits.schema(2, "reward", "hide");
    LearnerData data = Bandits.log(schema, new int[] {60, 40}, new float[][] {{1, -1}, {0.4f, 2}});
    TrainingForward forward =
        TrainingForward.of(train(new RewardModel(), schema, data, PLAN), data);
    assertEquals(1, forward.actionValue(0, 0, 0), 0.01);
    assertEquals(-1, forward.actionValue(0, 0, 1), 0.02);
    assertEquals(0.4, forward.actionValue(0, 1, 0), 0.01);
    assertEquals(2, forward.actionValue(0, 1, 1), 0.02);
  }

  @Test
  void aMultiplierHoldsAPromiseThatTheObjectiveWouldBreak() {
    NetworkSchema schema = Bandits.schema(2, "reward", "like");
    LearnerData data =
        Bandits.log(schema, new int[] {50, 50}, new float[][] {{1, 0.1f}, {0.4f, 0.5f}});
    MultiplierConfig exact = new MultiplierConfig(1, 0.25, 0, 50, 50, 8192, 0);
    Promise promise = new Promise(1, Promise.Sense.AT_LEAST, new Promise.Absolute(0.3));
    TrainedPolicy free = train(actorCritic(List.of(), exact), schema, data, PLAN);
    TrainedPolicy bound =
        train(actorCritic(List.of(promise), exact), schema, data, PLAN.withLearningRate(1e-3));
    double[] unbound = TrainingForward.of(free, data).probabilities(0);
    double[] kept = TrainingForward.of(bound, data).probabilities(0);
    assertTrue(
        0.1 * unbound[0] + 0.5 * unbound[1] < 0.15, "without a promise, likes are given away");
    assertEquals(0.3, 0.1 * kept[0] + 0.5 * kept[1], 0.02);
    assertEquals(0.7, kept[0] + 0.4 * kept[1], 0.03);
    PromiseOutcome outcome = bound.promises().get(0);
    assertEquals(0.3, outcome.estimate(), 0.02);
    // Both signals are two-valued and opposed, so their advantages cancel where prices are equal.
    assertEquals(1, outcome.multiplier(), 0.1);
  }

  @Test
  void anAtMostPromiseIsHeldFromTheOtherSide() {
    NetworkSchema schema = Bandits.schema(2, "reward", "hide");
    LearnerData data =
        Bandits.log(schema, new int[] {50, 50}, new float[][] {{1, 0.5f}, {0.4f, 0.1f}});
    MultiplierConfig exact = new MultiplierConfig(1, 0.25, 0, 50, 50, 8192, 0);
    Promise promise = new Promise(1, Promise.Sense.AT_MOST, new Promise.ShareOfLog(1));
    TrainedPolicy bound =
        train(actorCritic(List.of(promise), exact), schema, data, PLAN.withLearningRate(1e-3));
    double[] kept = TrainingForward.of(bound, data).probabilities(0);
    assertEquals(0.3, 0.5 * kept[0] + 0.1 * kept[1], 0.02);
  }

  private static ConstrainedActorCritic actorCritic(
      List<Promise> promises, MultiplierConfig multipliers) {
    return new ConstrainedActorCritic(ConstrainedActorCritic.Config.DEFAULT, promises, multipliers);
  }
}
