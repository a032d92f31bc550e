package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;

/**
 * The forward pass of the padded training graph over all rows of a data set, for tests to look at.
 */
public final class TrainingForward {
  private final int slots;
  private final float[] scale;
  private final float[] logits;
  private final float[] logProbabilities;
  private final float[] stateValues;
  private final float[] actionValues;

  private TrainingForward(TrainedPolicy policy, int slots, TrainingSession session) {
    this.slots = slots;
    scale = policy.signalScale();
    logits = session.values("logits");
    logProbabilities = session.values("logProbabilities");
    stateValues = session.values("stateValues");
    actionValues = session.values("allActionValues");
  }

  public static TrainingForward of(TrainedPolicy policy, LearnerData data) {
    return of(policy, data, data.mostCandidates());
  }

  /** With more slots than any row has candidates, all others are masked. */
  public static TrainingForward of(TrainedPolicy policy, LearnerData data, int slots) {
    TrainingPlan plan =
        TrainingPlan.of(0, 1).withBatchSize(data.rows()).withNetworks(policy.networks().config());
    StepGraph graph = new StepGraph(policy.networks(), plan, slots, new float[0]);
    graph.report("logits", graph.actor().logits(Moment.NOW));
    graph.report("logProbabilities", graph.actor().logSoftmax(Moment.NOW));
    graph.report("loggedLogProbability", graph.actor().loggedLogPolicy());
    graph.report("stateValues", graph.critic().state(Moment.NOW));
    graph.report("allActionValues", graph.critic().all(Moment.NOW));
    int[] rows = new int[data.rows()];
    Arrays.setAll(rows, row -> row);
    BatchFeed feed = new BatchFeed(data, policy.networks().schema(), slots, policy.signalScale());
    try (TrainingSession session = graph.open(OrtEnvironment.getEnvironment())) {
      session.floats(StepGraph.ACTOR).put(policy.actor().values());
      session.floats(StepGraph.CRITIC).put(policy.critic().values());
      feed.fill(session, rows);
      session.step();
      return new TrainingForward(policy, slots, session);
    }
  }

  public double logit(int row, int slot) {
    return logits[row * slots + slot];
  }

  public double probability(int row, int slot) {
    return Math.exp(logProbabilities[row * slots + slot]);
  }

  public double[] probabilities(int row) {
    double[] result = new double[slots];
    Arrays.setAll(result, slot -> probability(row, slot));
    return result;
  }

  /** In the signal's own unit. */
  public double stateValue(int row, int signal) {
    return stateValues[row * scale.length + signal] * scale[signal];
  }

  /** In the signal's own unit. */
  public double actionValue(int row, int slot, int signal) {
    return actionValues[(row * slots + slot) * scale.length + signal] * scale[signal];
  }
}
