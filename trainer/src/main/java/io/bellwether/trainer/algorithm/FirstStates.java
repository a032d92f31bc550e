package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * Judges a policy by what its own critics expect from the first states of episodes on, against the
 * returns that were logged from there: discounted figures per episode, which see that a policy
 * changes the states that people come to.
 *
 * <p>Looks at the first states with the smallest hash. Owns a forward graph until {@link #close}.
 * Confined to one thread.
 */
final class FirstStates implements PolicyJudge {
  private static final long TAG = 904;
  private static final String VALUES = "values";

  private final StepGraph graph;
  private final TrainingSession session;
  private final BatchFeed feed;
  private final int[] rows;
  private final int[] batch;
  private final float[] scale;
  private final double[][] returns;

  FirstStates(
      OrtEnvironment environment,
      Algorithm algorithm,
      PolicyNetworks networks,
      TrainingPlan plan,
      LearnerData data,
      BatchFeed feed,
      float[] scale) {
    this.graph = new StepGraph(networks, plan, data.mostCandidates(), new float[0]);
    Tensor values = Objects.requireNonNull(algorithm.judgedValues(graph), "no values to judge by");
    graph.report(VALUES, values);
    this.session = graph.open(environment);
    this.feed = feed;
    this.scale = scale;
    this.batch = new int[plan.batchSize()];
    this.rows =
        part(
            firstRows(data, algorithm.discount()),
            plan.seed(),
            data,
            algorithm.multipliers().rows());
    float[] logged = FittedQ.returns(data, algorithm.discount());
    this.returns = new double[scale.length][rows.length];
    for (int signal = 0; signal < scale.length; signal++) {
      for (int i = 0; i < rows.length; i++) {
        returns[signal][i] = logged[rows[i] * scale.length + signal];
      }
    }
  }

  /**
   * Rows that follow no other row, in ascending order; every row where nothing but the row itself
   * counts.
   */
  static int[] firstRows(LearnerData data, double discount) {
    if (discount == 0) {
      return CandidatePass.everyRow(data);
    }
    boolean[] follows = new boolean[data.rows()];
    for (int next : data.next()) {
      if (next >= 0) {
        follows[next] = true;
      }
    }
    int[] first = new int[data.rows()];
    int count = 0;
    for (int row = 0; row < first.length; row++) {
      if (!follows[row]) {
        first[count++] = row;
      }
    }
    if (count == 0) {
      throw new InvalidLearnerDataException(
          "every row follows another one, so no episode has a first state to judge a policy by");
    }
    return Arrays.copyOf(first, count);
  }

  private static int[] part(int[] first, long seed, LearnerData data, int most) {
    if (first.length <= most) {
      return first;
    }
    long[] ids = new long[first.length];
    Arrays.setAll(ids, i -> data.rowId()[first[i]]);
    int[] order = new int[first.length];
    new BatchPlan(CounterRandom.hash(seed, TAG, 0, 0, 0), ids, ids.length).fill(0, order);
    int[] part = new int[most];
    Arrays.setAll(part, i -> first[order[i]]);
    Arrays.sort(part);
    return part;
  }

  @Override
  public PolicyEstimate estimate(Function<String, float[]> weights) {
    for (String name : graph.weightNames()) {
      if (session.hasFeed(name)) {
        session.floats(name).put(weights.apply(name));
      }
    }
    if (session.hasFeed(BatchFeed.PRICES)) {
      session.floats(BatchFeed.PRICES).put(weights.apply(BatchFeed.PRICES));
    }
    double[][] values = new double[scale.length][rows.length];
    for (int from = 0; from < rows.length; from += batch.length) {
      int count = Math.min(batch.length, rows.length - from);
      for (int i = 0; i < batch.length; i++) {
        batch[i] = rows[from + Math.min(i, count - 1)];
      }
      feed.fill(session, batch);
      session.step();
      float[] scaled = session.values(VALUES);
      for (int i = 0; i < count; i++) {
        for (int signal = 0; signal < scale.length; signal++) {
          values[signal][from + i] = (double) scaled[i * scale.length + signal] * scale[signal];
        }
      }
    }
    return PolicyEstimate.ofValues(values, returns);
  }

  @Override
  public void close() {
    session.close();
  }
}
