package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.evaluation.episode.ValueBound;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fitted-Q evaluation with the critic's network: the discounted value of every signal under given
 * policies, from rows that another policy logged. All policies share one network, so that
 * differences between them are surer than their values.
 *
 * <p>Source: Le, Voloshin and Yue, "Batch Policy Learning under Constraints", 2019. Differences:
 * (1) it starts from the regression of the logged returns, which is right for the logging policy,
 * and needs rounds only for what the policies do differently; (2) each round takes some steps of
 * the optimiser from the last round's weights in place of a regression to the end, since a network
 * that sees the same rows too often learns their luck by heart.
 *
 * <p>The result is a function of data, policies and plan. Stateless, so thread-safe; a run holds
 * its native memory until it returns.
 */
public final class FittedQ {

  /*
   * Per row (s, a, r, s'), policy π and signal i, in units of the deviation of the logged returns:
   *
   *   first   Q_πi(s, a) ← Σ_t discount^t r_i                                      as logged
   *   round   Q_πi(s, a) ← r_i + discount · continues · Σ_a' π(a'|s') Q_πi(s', a')  by the last round's Q
   *
   * A row that was cut off is followed by its own state, one that ended by nothing. The expectation
   * over a' is exact: no action is drawn.
   */

  /** What the starting point may still be off by at the end, if rounds were exact. */
  private static final double LEFT_OVER = 0.05;

  private static final int FEWEST_ROUNDS = 5;
  private static final int MOST_ROUNDS = 60;

  private final OrtEnvironment environment;

  public FittedQ(OrtEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Fits the values of policies.
   *
   * @param chances {@code [policy][candidate]}: its chance of each of the data's candidates at its
   *     row's position, 0 for what stands at an earlier one
   * @param discount weight of the next row in a return, in [0, 1)
   * @param plan steps of the first regression, and as many of all rounds together
   * @throws InvalidLearnerDataException for data that no learner can use
   * @throws DivergedException when the first regression leaves its range
   * @throws io.bellwether.evaluation.episode.FittedValueException when values leave what rewards
   *     and discount allow
   */
  public FittedCritic fit(
      NetworkSchema schema,
      LearnerData data,
      float[][] chances,
      double discount,
      TrainingPlan plan) {
    data.validate(schema);
    if (!(discount >= 0 && discount < 1)) {
      throw new IllegalArgumentException("a discount lies in [0, 1), found " + discount);
    }
    LearnerData returns =
        withRewards(data, repeated(returns(data, discount), data, chances.length));
    TrainedPolicy first =
        new Learner(environment)
            .train(
                new RewardModel(),
                shared(schema, chances.length),
                returns,
                plan,
                ProgressListener.NONE);
    FittedCritic start =
        new FittedCritic(first.networks(), first.critic(), first.signalScale(), chances.length);
    return discount == 0 ? start : new Run(data, chances, discount, plan, start).result();
  }

  /** One output per policy and signal. */
  private static NetworkSchema shared(NetworkSchema schema, int policies) {
    List<String> names = new ArrayList<>();
    for (int policy = 0; policy < policies; policy++) {
      for (String signal : schema.signals()) {
        names.add(policy + "." + signal);
      }
    }
    return new NetworkSchema(
        schema.context(), schema.history(), schema.historyLength(), schema.item(), names);
  }

  /** The discounted sums of the rewards from each row on, {@code [row * S + signal]}. */
  static float[] returns(LearnerData data, double discount) {
    int rows = data.rows();
    int signals = data.rewards().length / rows;
    float[] returns = new float[data.rewards().length];
    boolean[] known = new boolean[rows];
    int[] chain = new int[rows];
    for (int row = 0; row < rows; row++) {
      int length = 0;
      for (int at = row; at >= 0 && !known[at]; at = goesOn(data, at)) {
        known[at] = true;
        chain[length++] = at;
      }
      for (int i = length - 1; i >= 0; i--) {
        int next = goesOn(data, chain[i]);
        for (int signal = 0; signal < signals; signal++) {
          double future = next < 0 ? 0 : discount * returns[next * signals + signal];
          int at = chain[i] * signals + signal;
          returns[at] = (float) (data.rewards()[at] + future);
        }
      }
    }
    return returns;
  }

  private static int goesOn(LearnerData data, int row) {
    return data.terminated()[row] ? -1 : data.next()[row];
  }

  private static float[] repeated(float[] perRow, LearnerData data, int policies) {
    int signals = perRow.length / data.rows();
    float[] repeated = new float[perRow.length * policies];
    for (int row = 0; row < data.rows(); row++) {
      for (int policy = 0; policy < policies; policy++) {
        System.arraycopy(
            perRow, row * signals, repeated, (row * policies + policy) * signals, signals);
      }
    }
    return repeated;
  }

  private static LearnerData withRewards(LearnerData data, float[] rewards) {
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        data.items(),
        data.closed(),
        data.action(),
        data.propensity(),
        rewards,
        data.terminated(),
        data.next(),
        data.rowId(),
        data.weight());
  }

  /** The rounds. Confined to one thread. */
  private final class Run {
    private final LearnerData data;
    private final float[][] chances;
    private final float discount;
    private final TrainingPlan plan;
    private final FittedCritic start;
    private final int outputs;
    private final float[] rewards;
    private final int[] following;
    private final int[] followers;
    private final float[] expected;
    private final float[] ignored;
    private final ValueBound[] bounds;

    Run(
        LearnerData data,
        float[][] chances,
        double discount,
        TrainingPlan plan,
        FittedCritic start) {
      this.data = data;
      this.chances = chances;
      this.discount = (float) discount;
      this.plan = plan;
      this.start = start;
      this.outputs = start.scale().length;
      this.rewards = repeated(data.rewards(), data, chances.length);
      for (int i = 0; i < rewards.length; i++) {
        rewards[i] /= start.scale()[i % outputs];
      }
      this.following = new int[data.rows()];
      Arrays.setAll(
          following,
          row -> data.terminated()[row] ? -1 : data.next()[row] < 0 ? row : data.next()[row]);
      this.followers = new int[plan.batchSize()];
      this.expected = new float[rewards.length];
      this.ignored = new float[rewards.length];
      this.bounds = new ValueBound[outputs];
      Arrays.setAll(bounds, this::bound);
    }

    FittedCritic result() {
      // the rounds have bounds of their own; the graph's gauge is not read
      StepGraph graph = new StepGraph(start.networks(), plan, data.mostCandidates(), ones());
      new RewardModel().addLosses(graph);
      BatchFeed feed =
          new BatchFeed(
              withRewards(data, rewards), start.networks().schema(), data.mostCandidates(), ones());
      int rounds = rounds();
      long stepsPerRound = Math.max(1, plan.steps() / rounds);
      BatchPlan batches = new BatchPlan(plan.seed() + 1, data.rowId(), plan.batchSize());
      int[] rows = new int[plan.batchSize()];
      try (TrainingSession session = graph.open(environment);
          CriticValues values =
              new CriticValues(environment, start.networks(), plan, data, chances)) {
        session.write(StepGraph.CRITIC, start.critic().values());
        long step = 0;
        for (int round = 0; round < rounds; round++) {
          values.load(session.read(StepGraph.CRITIC));
          for (long i = 0; i < stepsPerRound; i++) {
            batches.fill(step++, rows);
            look(values, rows);
            feed.fill(session, rows);
            target(session.floats(BatchFeed.REWARDS), rows);
            schedule(session, step);
            session.step();
          }
        }
        float[] fitted = session.read(StepGraph.CRITIC);
        values.load(fitted);
        look(values, rows);
        return new FittedCritic(
            start.networks(),
            new Parameters(start.critic().layout(), fitted),
            start.scale(),
            start.policies());
      }
    }

    /** As many as bring the start's error down to {@link #LEFT_OVER}. */
    private int rounds() {
      double goesOn = 0;
      for (int row : following) {
        goesOn += row < 0 ? 0 : 1;
      }
      double shrinking = discount * goesOn / data.rows();
      if (shrinking == 0) {
        return FEWEST_ROUNDS;
      }
      double needed = Math.ceil(Math.log(LEFT_OVER) / Math.log(shrinking));
      return (int) Math.max(FEWEST_ROUNDS, Math.min(MOST_ROUNDS, needed));
    }

    /** Sets the values of the states that follow a batch, by the last round's weights. */
    private void look(CriticValues values, int[] rows) {
      int count = 0;
      for (int row : rows) {
        if (following[row] >= 0) {
          followers[count++] = following[row];
        }
      }
      values.fill(followers, count, ignored, expected);
      double[] largest = values.largest();
      for (int output = 0; output < outputs; output++) {
        bounds[output].check(largest[output]);
      }
    }

    /** Signals that never happened have values that are nothing but a network's noise. */
    private ValueBound bound(int output) {
      double largest = 0;
      for (int i = output; i < rewards.length; i += outputs) {
        largest = Math.max(largest, Math.abs(rewards[i]));
      }
      return new ValueBound(Math.max(1, ValueBound.discounted(largest, discount).bound()));
    }

    private float[] ones() {
      float[] ones = new float[outputs];
      Arrays.fill(ones, 1);
      return ones;
    }

    private void target(FloatBuffer target, int[] rows) {
      for (int i = 0; i < rows.length; i++) {
        int next = following[rows[i]];
        for (int output = 0; output < outputs; output++) {
          float future = next < 0 ? 0 : discount * expected[next * outputs + output];
          target.put(i * outputs + output, rewards[rows[i] * outputs + output] + future);
        }
      }
    }

    private void schedule(TrainingSession session, long step) {
      session.set(StepGraph.CRITIC + StepGraph.RATE, (float) plan.rate(step));
      session.set(StepGraph.MEAN_CORRECTION, plan.adam().meanCorrection(step));
      session.set(StepGraph.SQUARE_CORRECTION, plan.adam().squareCorrection(step));
    }
  }
}
