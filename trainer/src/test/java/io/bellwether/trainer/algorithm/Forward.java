package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;

/**
 * The forward pass of the training graph over the first rows of a data set, for tests to look at.
 */
final class Forward {
  private static final int ROWS = 1;

  private final int slots;
  private final int signals;
  private final float[] logProbabilities;
  private final float[] stateValues;
  private final float[] actionValues;
  private final float[] scale;

  private Forward(TrainedPolicy policy, LearnerData data, TrainingSession session) {
    slots = data.mostCandidates();
    signals = policy.signalScale().length;
    scale = policy.signalScale();
    logProbabilities = session.values("logProbabilities");
    stateValues = session.values("stateValues");
    actionValues = session.values("allActionValues");
  }

  static Forward of(TrainedPolicy policy, LearnerData data) {
    TrainingPlan plan = TrainingPlan.of(0, 1).withBatchSize(ROWS);
    StepGraph graph = new StepGraph(policy.networks(), plan, data.mostCandidates(), new float[0]);
    graph.report("logProbabilities", graph.logProbabilities());
    graph.report("stateValues", graph.stateValues());
    graph.report("allActionValues", graph.allActionValues());
    graph.report("loggedLogProbability", graph.loggedLogProbability());
    BatchFeed feed =
        new BatchFeed(
            data, policy.networks().schema(), data.mostCandidates(), policy.signalScale());
    try (TrainingSession session = graph.open(OrtEnvironment.getEnvironment())) {
      session.floats(StepGraph.ACTOR).put(policy.actor().values());
      session.floats(StepGraph.CRITIC).put(policy.critic().values());
      feed.fill(session, new int[] {0});
      session.step();
      return new Forward(policy, data, session);
    }
  }

  double[] probabilities(int row) {
    double[] result = new double[slots];
    Arrays.setAll(result, slot -> Math.exp(logProbabilities[row * slots + slot]));
    return result;
  }

  double stateValue(int row, int signal) {
    return stateValues[row * signals + signal] * scale[signal];
  }

  double actionValue(int row, int slot, int signal) {
    return actionValues[(row * slots + slot) * signals + signal] * scale[signal];
  }
}
