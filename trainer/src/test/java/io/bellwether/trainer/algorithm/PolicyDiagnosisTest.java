package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * On the bandit of three arms that were logged with chances 0.2, 0.5 and 0.3 and give 1, 0.5, 0.
 */
class PolicyDiagnosisTest {
  private static final NetworkSchema SCHEMA = Bandits.schema(3, "reward");
  private static final LearnerData LOG =
      Bandits.log(SCHEMA, new int[] {20, 50, 30}, new float[][] {{1}, {0.5f}, {0}});
  private static final TrainingPlan PLAN =
      TrainingPlan.of(7, 1500)
          .withBatchSize(100)
          .withLearningRate(3e-3)
          .withNetworks(new NetworkConfig(16, 8, 8));

  private static PolicyDiagnosis diagnosis(Algorithm algorithm) {
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(algorithm, SCHEMA, LOG, PLAN, ProgressListener.NONE);
    return PolicyDiagnosis.of(
        OrtEnvironment.getEnvironment(), policy, LOG, PLAN, algorithm.discount());
  }

  @Test
  void aCloneStandsWhereTheLogStood() {
    PolicyDiagnosis clone = diagnosis(BehaviourCloning.DEFAULT);
    assertEquals(100, clone.rows());
    assertEquals(0, clone.divergence(), 1e-3);
    assertEquals(0, clone.totalVariation(), 5e-3);
    assertEquals(1, clone.effectiveShare(), 1e-3);
    double entropy = -(0.2 * Math.log(0.2) + 0.5 * Math.log(0.5) + 0.3 * Math.log(0.3));
    assertEquals(entropy / Math.log(3), clone.entropyShare(), 1e-3);
    assertEquals(0.45, clone.signals().get(0).estimate(), 2e-3);
    assertNull(clone.signals().get(0).critic());
  }

  @Test
  void aLearnedPolicyIsAsFarAwayAsItsChancesSay() {
    ConstrainedActorCritic.Config config =
        ConstrainedActorCritic.Config.DEFAULT
            .withObjectiveExpectile(0.5)
            .withInverseTemperature(3 * 0.35);
    PolicyDiagnosis learned =
        diagnosis(new ConstrainedActorCritic(config, List.of(), MultiplierConfig.DEFAULT));
    double[] policy = {0.612555, 0.341699, 0.045746};
    double[] log = {0.2, 0.5, 0.3};
    double divergence = 0;
    double variation = 0;
    double squares = 0;
    for (int arm = 0; arm < 3; arm++) {
      divergence += log[arm] * Math.log(log[arm] / policy[arm]);
      variation += Math.abs(policy[arm] - log[arm]) / 2;
      squares += policy[arm] * policy[arm] / log[arm];
    }
    assertEquals(divergence, learned.divergence(), 0.03);
    assertEquals(variation, learned.totalVariation(), 0.02);
    assertEquals(1 / squares, learned.effectiveShare(), 0.02);
    PolicyDiagnosis.OfSignal reward = learned.signals().get(0);
    assertEquals(0.783405, reward.estimate(), 0.02);
    PolicyDiagnosis.OfCritic critic = Objects.requireNonNull(reward.critic());
    assertEquals(0, critic.overestimation(), 0.03);
    assertEquals(0.783405, critic.underPolicy(), 0.02);
    for (PolicyDiagnosis.Group group : critic.calibration()) {
      assertEquals(group.predicted(), group.returned(), 0.03);
    }
  }
}
