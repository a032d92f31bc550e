package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.PolicyNetworks;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * What a critic says about rows under several policies: {@code Q(s, a)} of the logged action, and
 * its expectation over the candidates. The critic's outputs are {@code [policy][signal]}, in scaled
 * units.
 *
 * <p>Owns a forward graph until {@link #close}. Confined to one thread.
 */
final class CriticValues implements AutoCloseable {
  private static final String VALUES = "values";

  private final TrainingSession session;
  private final LearnerData data;
  private final float[][] chances;
  private final int outputs;
  private final int slots;
  private final int contextWidth;
  private final int historyWidth;
  private final int itemWidth;
  private final int[] batch;
  private final double[] largest;

  /** {@code chances[policy][candidate]}, over the data's candidates. */
  CriticValues(
      OrtEnvironment environment,
      PolicyNetworks networks,
      TrainingPlan plan,
      LearnerData data,
      float[][] chances) {
    this.outputs = networks.schema().signals().size();
    this.slots = data.mostCandidates();
    StepGraph graph = new StepGraph(networks, plan, slots, new float[0]);
    graph.report(VALUES, graph.critic().all(Moment.NOW));
    this.session = graph.open(environment);
    this.contextWidth = networks.schema().context().size();
    this.historyWidth = networks.schema().historyLength() * networks.schema().history().size();
    this.itemWidth = networks.schema().item().size();
    this.data = data;
    this.chances = chances;
    this.batch = new int[plan.batchSize()];
    this.largest = new double[outputs];
  }

  /** Takes the critic's weights from here on. */
  void load(float[] critic) {
    session.floats(StepGraph.CRITIC).put(critic);
    Arrays.fill(largest, 0);
  }

  /** The largest magnitude of each output since the weights were taken; infinite where NaN. */
  double[] largest() {
    return largest.clone();
  }

  /**
   * Sets {@code logged[row * outputs + output]} and {@code expected[...]} of the first {@code
   * wanted} rows that are named.
   */
  void fill(int[] rows, int wanted, float[] logged, float[] expected) {
    for (int from = 0; from < wanted; from += batch.length) {
      int count = Math.min(batch.length, wanted - from);
      for (int i = 0; i < batch.length; i++) {
        batch[i] = rows[from + Math.min(i, count - 1)];
      }
      feed();
      session.step();
      float[] values = session.values(VALUES);
      for (int i = 0; i < count; i++) {
        read(values, i, batch[i], logged, expected);
      }
    }
  }

  /** Slots behind a row's candidates keep what stood there: nobody reads their values. */
  private void feed() {
    FloatBuffer context = session.floats(BatchFeed.CONTEXT);
    FloatBuffer items = session.floats(BatchFeed.ITEMS);
    for (int i = 0; i < batch.length; i++) {
      int row = batch[i];
      context.put(i * contextWidth, data.context(), row * contextWidth, contextWidth);
      int first = data.itemOffsets()[row] * itemWidth;
      items.put(i * slots * itemWidth, data.items(), first, data.candidates(row) * itemWidth);
    }
    if (session.hasFeed(BatchFeed.HISTORY)) {
      FloatBuffer history = session.floats(BatchFeed.HISTORY);
      for (int i = 0; i < batch.length; i++) {
        history.put(i * historyWidth, data.history(), batch[i] * historyWidth, historyWidth);
      }
    }
  }

  private void read(float[] values, int place, int row, float[] logged, float[] expected) {
    int first = data.itemOffsets()[row];
    int candidates = data.candidates(row);
    int signals = outputs / chances.length;
    for (int output = 0; output < outputs; output++) {
      float[] ofPolicy = chances[output / signals];
      double mean = 0;
      for (int candidate = 0; candidate < candidates; candidate++) {
        float value = values[(place * slots + candidate) * outputs + output];
        mean += (double) ofPolicy[first + candidate] * value;
        double size = Math.abs(value);
        largest[output] =
            size <= Double.MAX_VALUE ? Math.max(largest[output], size) : Double.POSITIVE_INFINITY;
      }
      expected[row * outputs + output] = (float) mean;
      logged[row * outputs + output] =
          values[(place * slots + data.action()[row]) * outputs + output];
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
