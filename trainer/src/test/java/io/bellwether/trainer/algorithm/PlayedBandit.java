package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.network.NetworkConfig;
import java.util.Arrays;
import java.util.List;

/** Three arms that pay (1, 0.5, 0), as a policy that goes on learning plays them. */
final class PlayedBandit {
  static final TabularProcess PROCESS = TabularProcess.bandit();

  private PlayedBandit() {}

  /** A large epsilon makes steps a smooth function of the gradient, not a matter of its sign. */
  static TrainingPlan plan(double rate, double epsilon) {
    return new TrainingPlan(
        5,
        30,
        30,
        rate,
        new Adam(0.9, 0.999, epsilon, 10),
        0.05,
        1000,
        new NetworkConfig(8, 4, 4),
        Exploration.asUsed(1, 0));
  }

  static TrainedPolicy train(Algorithm algorithm, LearnerData data, TrainingPlan plan) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, PROCESS.schema(), data, plan, ProgressListener.NONE);
  }

  /** A policy and its critic, hardly trained. */
  static TrainedPolicy young() {
    return train(
        new ConstrainedActorCritic(
            ConstrainedActorCritic.Config.DEFAULT, List.of(), MultiplierConfig.DEFAULT),
        PROCESS.repeated(10),
        plan(1e-3, 1e-8));
  }

  /** Every arm once, as often as the policy plays it: one round without the noise of drawing. */
  static LearnerData playedBy(TrainedPolicy policy) {
    LearnerData data = PROCESS.weighted();
    double[] chances = chances(policy);
    double[] propensity = new double[data.rows()];
    float[] weight = new float[data.rows()];
    for (int row = 0; row < weight.length; row++) {
      propensity[row] = chances[data.action()[row]];
      weight[row] = (float) (propensity[row] * weight.length);
    }
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        data.items(),
        data.closed(),
        data.action(),
        propensity,
        data.rewards(),
        data.terminated(),
        data.next(),
        data.rowId(),
        weight);
  }

  /** The same rows under ids that are greater by so much. */
  static LearnerData renumbered(LearnerData data, long by) {
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        data.items(),
        data.closed(),
        data.action(),
        data.propensity(),
        data.rewards(),
        data.terminated(),
        data.next(),
        Arrays.stream(data.rowId()).map(id -> id + by).toArray(),
        data.weight());
  }

  static double[] chances(TrainedPolicy policy) {
    return TabularAnswer.of(policy, PROCESS).chances()[0];
  }

  static double value(TrainedPolicy policy) {
    double[] chances = chances(policy);
    return chances[0] + 0.5 * chances[1];
  }

  /** Bit by bit. */
  static int[] logitBits(TrainedPolicy policy, LearnerData data) {
    TrainingForward forward = TrainingForward.of(policy, data);
    int[] bits = new int[data.rows() * PROCESS.actions()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          Float.floatToIntBits((float) forward.logit(i / PROCESS.actions(), i % PROCESS.actions()));
    }
    return bits;
  }
}
