package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How a trained policy stands to the log that it learned from: how far it moved away, how much of
 * the log still speaks about it, and whether its critic says what happened. Of the rows with the
 * smallest hash.
 *
 * @param rows that were looked at
 * @param divergence {@code KL(β ‖ π)} to the logging policy in nats: mean of {@code log μ - log π}
 *     over logged actions
 * @param totalVariation half the mean of {@code |1 - π / μ|} over logged actions: at most 1, and
 *     too small by what the policy gives to actions without a logged chance
 * @param entropyShare mean of the policy's entropy as a share of the logarithm of the number of
 *     candidates, over rows with at least two
 * @param effectiveShare {@code (Σw)² / (n Σw²)} of {@code w = π / μ}
 * @param largestShare of all weight that one row has
 * @param clippedShare of rows whose weight is above 10
 * @param signals in the learner's order
 */
public record PolicyDiagnosis(
    int rows,
    double divergence,
    double totalVariation,
    double entropyShare,
    double effectiveShare,
    double largestShare,
    double clippedShare,
    List<OfSignal> signals) {

  /** More rows make no plot clearer. */
  private static final int MOST_ROWS = 20_000;

  private static final int BATCH = 512;
  private static final int DECILES = 10;
  private static final long TAG = 905;

  public PolicyDiagnosis {
    signals = List.copyOf(signals);
  }

  /**
   * One signal, in its own unit.
   *
   * @param logged its mean in the log: what imitation reaches
   * @param estimate its mean under the policy, by self-normalised weights clipped at 10
   * @param standardError of {@code estimate}
   * @param critic what its critic says, absent where none was trained
   */
  public record OfSignal(
      String signal,
      double logged,
      double estimate,
      double standardError,
      @Nullable OfCritic critic) {}

  /**
   * What a critic says beside what was logged, over rows whose episode is known to its end.
   *
   * @param rows of those
   * @param predicted mean of {@code Q(s, a)} of logged actions
   * @param returned mean of the returns that followed them
   * @param underPolicy mean of {@code Σ π Q} over all candidates of the same rows
   * @param calibration groups of equal size by prediction, ascending
   */
  public record OfCritic(
      int rows, double predicted, double returned, double underPolicy, List<Group> calibration) {

    public OfCritic {
      calibration = List.copyOf(calibration);
    }

    /** Prediction less return, as a share of the return; 0 where nothing was returned. */
    public double overestimation() {
      return returned == 0 ? 0 : (predicted - returned) / Math.abs(returned);
    }
  }

  /** Rows of similar prediction. */
  public record Group(int rows, double predicted, double returned, double standardError) {}

  /**
   * Looks at a policy through the data that it was trained on.
   *
   * @param discount of the returns that its critics were trained for, in [0, 1)
   */
  public static PolicyDiagnosis of(
      OrtEnvironment environment,
      TrainedPolicy policy,
      LearnerData data,
      TrainingPlan trained,
      double discount) {
    return new Look(environment, policy, data, trained, discount).diagnosis();
  }

  /** The pass over the rows. Confined to one thread. */
  private static final class Look {
    private final TrainedPolicy policy;
    private final LearnerData data;
    private final int signals;
    private final int heads;
    private final int slots;
    private final int[] rows;
    private final double[] weights;
    private final float[] rewards;
    private final double[][] predicted;
    private final double[][] expected;
    private final double discount;
    private double divergence;
    private double variation;
    private double entropy;
    private int choices;

    Look(
        OrtEnvironment environment,
        TrainedPolicy policy,
        LearnerData data,
        TrainingPlan trained,
        double discount) {
      this.policy = policy;
      this.data = data;
      this.discount = discount;
      this.signals = policy.signalScale().length;
      this.heads = policy.networks().heads();
      this.slots = data.mostCandidates();
      this.rows = part(trained.seed(), data);
      this.weights = new double[rows.length];
      this.rewards = new float[rows.length * signals];
      this.predicted = new double[signals][rows.length];
      this.expected = new double[signals][rows.length];
      TrainingPlan plan =
          TrainingPlan.of(trained.seed(), 1)
              .withBatchSize(Math.min(BATCH, rows.length))
              .withNetworks(policy.networks().config())
              .withExploration(trained.exploration());
      StepGraph graph = new StepGraph(policy.networks(), plan, slots, new float[0]);
      graph.report("policy", graph.actor().logPolicy(Moment.NOW));
      if (policy.hasCritic()) {
        graph.report("values", graph.critic().all(Moment.NOW));
      }
      BatchFeed feed = new BatchFeed(data, policy.networks().schema(), slots, policy.signalScale());
      try (TrainingSession session = graph.open(environment)) {
        session.floats(StepGraph.ACTOR).put(policy.actor().values());
        if (policy.hasCritic()) {
          session.floats(StepGraph.CRITIC).put(policy.critic().values());
        }
        pass(session, feed, plan.batchSize());
      }
    }

    private static int[] part(long seed, LearnerData data) {
      int[] order = new int[data.rows()];
      new BatchPlan(CounterRandom.hash(seed, TAG, 0, 0, 0), data.rowId(), order.length)
          .fill(0, order);
      int[] part = Arrays.copyOf(order, Math.min(MOST_ROWS, order.length));
      Arrays.sort(part);
      return part;
    }

    private void pass(TrainingSession session, BatchFeed feed, int batchSize) {
      int[] batch = new int[batchSize];
      for (int from = 0; from < rows.length; from += batchSize) {
        int count = Math.min(batchSize, rows.length - from);
        for (int i = 0; i < batchSize; i++) {
          batch[i] = rows[from + Math.min(i, count - 1)];
        }
        feed.fill(session, batch);
        session.step();
        float[] logPolicy = session.values("policy");
        float[] values = policy.hasCritic() ? session.values("values") : new float[0];
        for (int i = 0; i < count; i++) {
          look(from + i, logPolicy, values, i);
        }
      }
    }

    private void look(int place, float[] logPolicy, float[] values, int inBatch) {
      int row = rows[place];
      int candidates = data.candidates(row);
      int action = data.action()[row];
      double ofLogged = logPolicy[inBatch * slots + action];
      double weight = Math.exp(ofLogged) / data.propensity()[row];
      weights[place] = weight;
      divergence += Math.log(data.propensity()[row]) - ofLogged;
      variation += Math.abs(1 - weight) / 2;
      int open = 0;
      double uncertainty = 0;
      for (int slot = 0; slot < candidates; slot++) {
        if (!data.closed()[data.itemOffsets()[row] + slot]) {
          double log = logPolicy[inBatch * slots + slot];
          double chance = Math.exp(log);
          uncertainty -= chance * log;
          open++;
        }
      }
      if (open > 1) {
        entropy += uncertainty / Math.log(open);
        choices++;
      }
      System.arraycopy(data.rewards(), row * signals, rewards, place * signals, signals);
      if (policy.hasCritic()) {
        for (int signal = 0; signal < signals; signal++) {
          predicted[signal][place] = value(values, inBatch, action, signal);
          double mean = 0;
          for (int slot = 0; slot < candidates; slot++) {
            mean +=
                Math.exp(logPolicy[inBatch * slots + slot]) * value(values, inBatch, slot, signal);
          }
          expected[signal][place] = mean;
        }
      }
    }

    private double value(float[] values, int inBatch, int slot, int signal) {
      int from = (inBatch * slots + slot) * signals * heads + signal * heads;
      double sum = 0;
      for (int head = 0; head < heads; head++) {
        sum += values[from + head];
      }
      return sum / heads * policy.signalScale()[signal];
    }

    PolicyDiagnosis diagnosis() {
      double sum = 0;
      double squares = 0;
      double largest = 0;
      int clipped = 0;
      double[] bounded = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        sum += weights[i];
        squares += weights[i] * weights[i];
        largest = Math.max(largest, weights[i]);
        clipped += weights[i] > PolicyEstimate.LARGEST_WEIGHT ? 1 : 0;
        bounded[i] = Math.min(weights[i], PolicyEstimate.LARGEST_WEIGHT);
      }
      PolicyEstimate estimate = PolicyEstimate.of(bounded, rewards, signals);
      boolean[] complete = complete();
      float[] returns = FittedQ.returns(data, discount);
      List<OfSignal> all = new ArrayList<>();
      for (int signal = 0; signal < signals; signal++) {
        all.add(
            new OfSignal(
                policy.networks().schema().signals().get(signal),
                estimate.logMean()[signal],
                estimate.mean()[signal],
                norm(estimate.influence()[signal]) / rows.length,
                policy.hasCritic() ? critic(signal, complete, returns) : null));
      }
      int count = rows.length;
      return new PolicyDiagnosis(
          count,
          divergence / count,
          variation / count,
          choices == 0 ? 0 : entropy / choices,
          sum * sum / (count * squares),
          largest / sum,
          (double) clipped / count,
          all);
    }

    private static double norm(double[] values) {
      double squares = 0;
      for (double value : values) {
        squares += value * value;
      }
      return Math.sqrt(squares);
    }

    /** Per row, whether all that follows it in its episode is in the data. */
    private boolean[] complete() {
      boolean[] complete = new boolean[data.rows()];
      if (discount == 0) {
        Arrays.fill(complete, true);
        return complete;
      }
      byte[] known = new byte[data.rows()];
      int[] chain = new int[data.rows()];
      for (int row = 0; row < known.length; row++) {
        int length = 0;
        int at = row;
        while (at >= 0 && known[at] == 0 && !data.terminated()[at]) {
          known[at] = 1;
          chain[length++] = at;
          at = data.next()[at];
        }
        boolean ends = at >= 0 && (data.terminated()[at] || complete[at]);
        if (at >= 0 && data.terminated()[at]) {
          complete[at] = true;
        }
        for (int i = 0; i < length; i++) {
          complete[chain[i]] = ends;
        }
      }
      return complete;
    }

    private @Nullable OfCritic critic(int signal, boolean[] complete, float[] returns) {
      int[] places = IntStream.range(0, rows.length).filter(i -> complete[rows[i]]).toArray();
      if (places.length == 0) {
        return null;
      }
      double[] own = predicted[signal];
      int[] order =
          IntStream.of(places)
              .boxed()
              .sorted((a, b) -> Double.compare(own[a], own[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      List<Group> groups = new ArrayList<>();
      int wanted = Math.min(DECILES, order.length);
      for (int group = 0; group < wanted; group++) {
        int from = (int) ((long) order.length * group / wanted);
        int to = (int) ((long) order.length * (group + 1) / wanted);
        groups.add(group(Arrays.copyOfRange(order, from, to), own, returns, signal));
      }
      double under = 0;
      for (int place : places) {
        under += expected[signal][place];
      }
      Group whole = group(places, own, returns, signal);
      return new OfCritic(
          places.length, whole.predicted, whole.returned, under / places.length, groups);
    }

    private Group group(int[] places, double[] own, float[] returns, int signal) {
      double said = 0;
      double came = 0;
      double squares = 0;
      for (int place : places) {
        double returned = returns[rows[place] * signals + signal];
        said += own[place];
        came += returned;
        squares += returned * returned;
      }
      int count = places.length;
      double mean = came / count;
      double variance = Math.max(0, squares / count - mean * mean);
      return new Group(count, said / count, mean, Math.sqrt(variance / count));
    }
  }
}
