package io.bellwether.loadtest.learning.bsim;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;

/**
 * One method on one task with one seed: everything that is random in it comes from the seed.
 * Immutable.
 *
 * @param effort what is spent on it
 */
public record SimulatedCell(SimulatedTask task, LearningMethod method, long seed, Effort effort) {

  /** Most sessions of the logging policy on which the distance from it is measured. */
  private static final int DIVERGENCE_SESSIONS = 200;

  /** A learned policy is served as it is: it was trained to be random where it has to be. */
  private static final Exploration SERVED = Exploration.asUsed(1, 0);

  /**
   * What is spent on each cell.
   *
   * @param steps of training
   * @param batchSize rows per step
   * @param sessions from which the truth is measured, of the validation and of the test each
   */
  public record Effort(long steps, int batchSize, int sessions) {}

  /**
   * What one cell found.
   *
   * @param validation on the sessions by which settings are chosen
   * @param test on the sessions that are reported
   * @param divergence mean KL from the logging policy, nats per decision
   * @param trainingSeconds on the wall, of the log, training and export
   */
  public record Outcome(
      Ratios validation, Ratios test, double divergence, double trainingSeconds) {}

  /** With batches as the trainer has them. */
  public SimulatedCell(
      SimulatedTask task, LearningMethod method, long seed, long steps, int sessions) {
    this(task, method, seed, new Effort(steps, TrainingPlan.of(seed, steps).batchSize(), sessions));
  }

  /** How it trains, with all that the method changes. */
  public TrainingPlan plan() {
    TrainingPlan common =
        TrainingPlan.of(seed, effort.steps).withBatchSize(effort.batchSize).withExploration(SERVED);
    return method.plan().apply(common);
  }

  /** In words, such as {@code two-stage-0.7 on dense-6000, seed 3}. */
  public String words() {
    return method.name() + " on " + task.name() + ", seed " + seed;
  }

  /**
   * Trains and measures.
   *
   * @param validation measures on the sessions by which settings are chosen
   * @param test measures on the sessions that are reported
   */
  public Outcome run(TrueRatios validation, TrueRatios test, ProgressListener listener)
      throws InterruptedException {
    long began = System.nanoTime();
    byte[] graph = graph(listener);
    double seconds = (System.nanoTime() - began) / 1e9;
    ShortVideoWorld world = task.world();
    try (LearnedPolicy policy = LearnedPolicy.of(graph, world.catalogue(), SERVED)) {
      return new Outcome(
          validation.of(policy),
          test.of(policy),
          Divergence.of(
              policy,
              world,
              SimulatedTask.FIRST_VALIDATION_SESSION,
              Math.min(effort.sessions, DIVERGENCE_SESSIONS)),
          seconds);
    }
  }

  /** Trains on the log of the seed, which needs memory only until then. */
  private byte[] graph(ProgressListener listener) {
    SimulatedLog log = task.log(seed);
    return method.form().graph(train(log, listener), LearnedPolicy.schema(), log.data(), seed);
  }

  /** Trains, and leaves a policy that can go on learning. */
  public TrainedPolicy train(ProgressListener listener) {
    return train(task.log(seed), listener);
  }

  private TrainedPolicy train(SimulatedLog log, ProgressListener listener) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(method.algorithm().get(), log.schema(), log.data(), plan(), listener);
  }

  /** Measures on the sessions by which settings are chosen, on one thread. */
  public static TrueRatios validation(SimulatedTask task, int sessions)
      throws InterruptedException {
    return new TrueRatios(task.world(), SimulatedTask.FIRST_VALIDATION_SESSION, sessions, 1);
  }

  /** Measures on the sessions that are reported, on one thread. */
  public static TrueRatios test(SimulatedTask task, int sessions) throws InterruptedException {
    return new TrueRatios(task.world(), SimulatedTask.FIRST_TEST_SESSION, sessions, 1);
  }
}
