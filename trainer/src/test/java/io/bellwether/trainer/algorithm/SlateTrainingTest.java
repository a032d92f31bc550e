package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlateTrainingTest {

  private static final int DECISIONS = 40;
  private static final int CANDIDATES = 8;
  private static final NetworkSchema SCHEMA = SyntheticLog.schema(2);

  /** Sharp, so that the first positions take most of the policy's own mass. */
  private static final Exploration EXPLORATION = Exploration.asUsed(0.05, 0.1);

  private static final TrainingPlan PLAN =
      TrainingPlan.of(3, 30)
          .withBatchSize(16)
          .withNetworks(new NetworkConfig(8, 4, 4))
          .withExploration(EXPLORATION);

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6})
  void aPolicyHasWeightsOfOneOnItsOwnSlatesWhileItTrains(int positions) {
    LearnerData requests = SyntheticLog.rows(SCHEMA, DECISIONS, CANDIDATES, CANDIDATES);
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(BehaviourCloning.DEFAULT, SCHEMA, requests, PLAN, ProgressListener.NONE);
    LearnerData slates = slates(policy, requests, positions);
    float[] scale = policy.signalScale();
    BatchFeed feed = new BatchFeed(slates, SCHEMA, CANDIDATES, scale);
    try (PolicyEstimator estimator =
        new PolicyEstimator(
            OrtEnvironment.getEnvironment(),
            policy.networks(),
            PLAN,
            slates,
            feed,
            Integer.MAX_VALUE)) {
      double[] weights = estimator.weights(policy.actor().values());
      assertEquals(DECISIONS * positions, weights.length);
      for (int row = 0; row < weights.length; row++) {
        assertEquals(1, weights[row], 1e-4, "row id " + slates.rowId()[row]);
      }
    }
  }

  /**
   * What serving would log of this policy: a row per position, row id 100 * decision + position.
   */
  private static LearnerData slates(TrainedPolicy policy, LearnerData requests, int positions) {
    TrainingForward forward = TrainingForward.of(policy, requests);
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int decision = 0; decision < requests.rows(); decision++) {
      float[] logits = new float[CANDIDATES];
      for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        logits[candidate] = (float) forward.logit(decision, candidate);
      }
      Slate slate =
          new SlateSampler().sample(MixedWeights.of(logits, EXPLORATION), decision, positions);
      LearnerData.Row request = SyntheticLog.row(SCHEMA, requests, decision);
      for (int position = 0; position < positions; position++) {
        rows.add(
            new LearnerData.Row(
                100L * decision + position,
                request.context(),
                request.history(),
                request.items(),
                Arrays.copyOf(slate.candidates(), position),
                slate.candidates()[position],
                slate.propensities()[position],
                request.rewards(),
                true,
                null,
                1));
      }
    }
    return LearnerData.of(SCHEMA, rows);
  }
}
