package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Looks at the current actor through a fixed part of the data: the rows with the smallest hash.
 *
 * <p>Owns a forward graph until {@link #close}. Confined to one thread.
 */
final class PolicyEstimator implements PolicyJudge {
  private static final long TAG = 902;
  private static final String LIKELIHOOD = "likelihood";

  private final TrainingSession session;
  private final BatchFeed feed;
  private final LearnerData data;
  private final int signals;
  private final int batchSize;
  private final int[] rows;
  private final float[] rewards;

  PolicyEstimator(
      OrtEnvironment environment,
      PolicyNetworks networks,
      TrainingPlan plan,
      LearnerData data,
      BatchFeed feed,
      int most) {
    StepGraph graph = new StepGraph(networks, plan, data.mostCandidates(), new float[0]);
    graph.report(LIKELIHOOD, graph.actor().loggedLogPolicy());
    this.session = graph.open(environment);
    this.feed = feed;
    this.data = data;
    this.signals = networks.schema().signals().size();
    this.batchSize = plan.batchSize();
    this.rows = fixedPart(plan.seed(), data.rowId(), most);
    this.rewards = new float[rows.length * signals];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(data.rewards(), rows[i] * signals, rewards, i * signals, signals);
    }
  }

  private static int[] fixedPart(long seed, long[] rowIds, int most) {
    int[] everyRow = new int[rowIds.length];
    new BatchPlan(CounterRandom.hash(seed, TAG, 0, 0, 0), rowIds, rowIds.length).fill(0, everyRow);
    int[] part = Arrays.copyOf(everyRow, Math.min(most, everyRow.length));
    Arrays.sort(part);
    return part;
  }

  @Override
  public PolicyEstimate estimate(Function<String, float[]> weights) {
    return PolicyEstimate.of(weights(weights.apply(StepGraph.ACTOR)), rewards, signals);
  }

  /** Clipped importance weights of the rows under an actor with these weights. */
  double[] weights(float[] actor) {
    session.floats(StepGraph.ACTOR).put(actor);
    double[] weights = new double[rows.length];
    int[] batch = new int[batchSize];
    for (int from = 0; from < rows.length; from += batchSize) {
      int count = Math.min(batchSize, rows.length - from);
      for (int i = 0; i < batchSize; i++) {
        batch[i] = rows[from + Math.min(i, count - 1)];
      }
      feed.fill(session, batch);
      session.step();
      float[] likelihoods = session.values(LIKELIHOOD);
      for (int i = 0; i < count; i++) {
        double weight = Math.exp(likelihoods[i]) / data.propensity()[batch[i]];
        weights[from + i] = Math.min(weight, PolicyEstimate.LARGEST_WEIGHT);
      }
    }
    return weights;
  }

  @Override
  public void close() {
    session.close();
  }
}
