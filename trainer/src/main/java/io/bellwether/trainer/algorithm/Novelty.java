package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;

/**
 * Learns to foretell a random network at logged actions: how far it is off elsewhere says how
 * strange an action is in its state.
 *
 * <p>Source: Burda and others, "Exploration by Random Network Distillation", 2019.
 */
record Novelty() implements Algorithm {
  private static final String VALUE = "novelty";

  /** Outputs per signal: enough that not all of them are right by chance. */
  private static final int HEADS = 16;

  /** The critic that foretells, and the one that stays as random as it began. */
  private static final int PREDICTOR = 0;

  private static final int RANDOM = 1;

  /** First outputs are a tenth of what hidden layers give; errors shall be numbers near 1. */
  private static final float UNIT = 10;

  @Override
  public int heads() {
    return HEADS;
  }

  @Override
  public void addLosses(StepGraph step) {
    Tensor error = step.critic(PREDICTOR).logged().sub(step.critic(RANDOM).logged().stopGradient());
    Tensor loss = step.mean(error.mul(UNIT).square().mean(-1));
    step.gauge("novelty.loss", loss);
    step.minimise(List.of(StepGraph.criticName(PREDICTOR)), loss, Pace.THROUGHOUT);
  }

  /** The novelty of every candidate of some data, at least 0; none has a unit of its own yet. */
  static float[] of(
      TrainedPolicy trained, OrtEnvironment environment, LearnerData data, int batchSize) {
    int slots = data.mostCandidates();
    TrainingPlan plan =
        TrainingPlan.of(0, 1).withBatchSize(batchSize).withNetworks(trained.networks().config());
    StepGraph graph = new StepGraph(trained.networks(), plan, slots, new float[0]);
    Tensor error =
        graph.critic(PREDICTOR).all(Moment.NOW).sub(graph.critic(RANDOM).all(Moment.NOW));
    graph.report(VALUE, error.mul(UNIT).square().mean(-1));
    BatchFeed feed = new BatchFeed(data, trained.networks().schema(), slots, trained.signalScale());
    float[] novelty = new float[data.itemOffsets()[data.rows()]];
    int[] rows = new int[batchSize];
    try (TrainingSession session = graph.open(environment)) {
      for (String name : graph.weightNames()) {
        session.floats(name).put(trained.weights(name));
      }
      for (int from = 0; from < data.rows(); from += rows.length) {
        int count = Math.min(rows.length, data.rows() - from);
        for (int i = 0; i < rows.length; i++) {
          rows[i] = from + Math.min(i, count - 1);
        }
        feed.fill(session, rows);
        session.step();
        float[] values = session.values(VALUE);
        for (int i = 0; i < count; i++) {
          int first = data.itemOffsets()[from + i];
          System.arraycopy(values, i * slots, novelty, first, data.candidates(from + i));
        }
      }
    }
    return novelty;
  }

  /** Divides by the mean at logged actions. */
  static void scale(float[] novelty, LearnerData data) {
    double sum = 0;
    for (int row = 0; row < data.rows(); row++) {
      sum += novelty[data.itemOffsets()[row] + data.action()[row]];
    }
    double unit = Math.max(Float.MIN_NORMAL, sum / data.rows());
    for (int i = 0; i < novelty.length; i++) {
      novelty[i] = (float) (novelty[i] / unit);
    }
  }
}
