package io.bellwether.loadtest.learning.online;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.loadtest.learning.bsim.LearnedPolicy;
import io.bellwether.loadtest.learning.bsim.LearningMethods;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.bsim.SimulatedFeatures;
import io.bellwether.loadtest.learning.bsim.SimulatedLog;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.bsim.TrueRatios;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.algorithm.Deployments;
import io.bellwether.trainer.algorithm.FineTuning;
import io.bellwether.trainer.algorithm.Kept;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.ProximalPolicy;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of learning from simulated sessions: the current policy serves a window of sessions, and
 * what it logged changes it for the next. A function of task, policy and settings: everything that
 * is random in it is the world's and the plan's.
 */
public final class OnlineRounds {
  /** Served as it is: it was trained to be random where it has to be. */
  private static final Exploration SERVED = Exploration.asUsed(1, 0);

  private static final double CAREFUL_RATE = 3e-4;
  private static final int CAREFUL_BATCH = 256;
  private static final double REACTION = 0.3;
  private static final double CLOSENESS = 0.05;

  private final SimulatedTask task;
  private final Extent extent;
  private final TrainingPlan plan;
  private final FineTuning.Config config;

  /**
   * How much is served and measured.
   *
   * @param windows rounds of serving and learning
   * @param sessions of each window
   * @param measured sessions that nobody learned from, on which start and end are measured
   */
  public record Extent(int windows, int sessions, int measured) {

    /** As A10 of the benchmark's specification asks for: 2,000 sessions in windows of 500. */
    public static final Extent FULL = new Extent(4, 500, SimulatedTask.SESSIONS);

    public Extent {
      if (windows < 1 || sessions < 2 || measured < 2) {
        throw new IllegalArgumentException(
            "%d windows of %d sessions, %d measured".formatted(windows, sessions, measured));
      }
    }
  }

  /**
   * @param plan batches, rate and networks of the policies that go on learning
   * @param config losses of a round, over the signals of {@link SimulatedFeatures#SIGNALS}
   */
  public OnlineRounds(
      SimulatedTask task, Extent extent, TrainingPlan plan, FineTuning.Config config) {
    this.task = task;
    this.extent = extent;
    this.plan = plan.withExploration(SERVED);
    this.config = config;
  }

  /**
   * A10 from a trained policy: 2,000 sessions from 10,000 on, with the policy kept.
   *
   * @param start what was trained on the task's log, usually by the two-stage learner
   */
  public static OnlineCurve a10(SimulatedTask task, TrainedPolicy start, long seed)
      throws InterruptedException {
    return new OnlineRounds(task, Extent.FULL, plan(start, seed), careful())
        .from(start, Kept.POLICY, List.of());
  }

  /** With the networks of a policy, in smaller batches and at a lower rate than it was trained. */
  static TrainingPlan plan(TrainedPolicy start, long seed) {
    return TrainingPlan.of(seed, 1)
        .withBatchSize(CAREFUL_BATCH)
        .withLearningRate(CAREFUL_RATE)
        .withNetworks(start.networks().config());
  }

  /**
   * Small steps near the first policy. Good reactions count a third of watching, hate as much
   * against it: promises are held by these prices and by closeness, not by a multiplier, for which
   * a window of sessions has too few of the rare reactions.
   */
  static FineTuning.Config careful() {
    List<Double> weights = new ArrayList<>();
    int signals = SimulatedFeatures.SIGNALS.size();
    for (int signal = 0; signal < signals; signal++) {
      weights.add(signal == 0 ? 1 : signal == signals - 1 ? -REACTION : REACTION);
    }
    ProximalPolicy.Config online =
        ProximalPolicy.Config.DEFAULT
            .withDiscount(LearningMethods.DISCOUNT)
            .withCloseness(CLOSENESS)
            .withWeights(weights);
    return FineTuning.Config.DEFAULT.withOnline(online);
  }

  /**
   * Serves and learns.
   *
   * @param kept of the offline world
   * @param log what the first policy was trained on; none where only the policy is kept
   */
  public OnlineCurve from(TrainedPolicy start, Kept kept, List<LearnerData> log)
      throws InterruptedException {
    ShortVideoWorld world = task.world();
    List<OnlineCurve.Window> windows = new ArrayList<>();
    List<LearnerData> newestFirst = new ArrayList<>(log);
    int offline = kept == Kept.POLICY ? 0 : log.size();
    TrainedPolicy current = start;
    for (int window = 0; window < extent.windows; window++) {
      long first = SimulatedTask.FIRST_ONLINE_SESSION + (long) window * extent.sessions;
      TrueRatios judge = new TrueRatios(world, first, extent.sessions, 1);
      windows.add(new OnlineCurve.Window(first, ratios(judge, current), ratios(judge, start)));
      if (kept == Kept.POLICY) {
        newestFirst.clear();
      }
      newestFirst.add(0, served(current, first));
      Deployments all = Deployments.of(newestFirst);
      boolean[] logged = all.isOlderThan(newestFirst.size() - offline - 1);
      FineTuning round =
          window == 0
              ? new FineTuning(kept, config, start, logged)
              : new FineTuning(kept, config, start, current, logged);
      current =
          new Learner(OrtEnvironment.getEnvironment())
              .train(round, SimulatedFeatures.schema(), all.data(), plan, ProgressListener.NONE);
    }
    TrueRatios unseen = new TrueRatios(world, SimulatedTask.FIRST_TEST_SESSION, extent.measured, 1);
    return new OnlineCurve(windows, ratios(unseen, start), ratios(unseen, current));
  }

  /** What one window logs. */
  private LearnerData served(TrainedPolicy policy, long first) {
    ShortVideoWorld world = task.world();
    try (LearnedPolicy opened = LearnedPolicy.of(policy, world.catalogue(), SERVED)) {
      return SimulatedLog.of(world, opened, first, extent.sessions).data();
    }
  }

  private Ratios ratios(TrueRatios judge, TrainedPolicy policy) throws InterruptedException {
    try (LearnedPolicy opened = LearnedPolicy.of(policy, task.world().catalogue(), SERVED)) {
      return judge.of(opened);
    }
  }
}
