package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.network.NetworkConfig;

/**
 * How long and how fast a learner trains.
 *
 * @param seed seed of first weights and of the batch plan
 * @param steps number of training steps
 * @param batchSize rows per step
 * @param learningRate Adam's rate until {@link #DECAY_FROM} of the steps; it then falls linearly to
 *     a tenth, which averages out the noise of the last batches
 * @param adam the optimiser
 * @param targetRate share by which the target network follows the critic at each step
 * @param reportEvery steps between two reports of progress
 * @param networks widths of the networks
 * @param exploration with which the policy is served: likelihoods and estimates are those of the
 *     mixture that people meet, or a clone of an exploring policy would explore twice
 */
public record TrainingPlan(
    long seed,
    long steps,
    int batchSize,
    double learningRate,
    Adam adam,
    double targetRate,
    int reportEvery,
    NetworkConfig networks,
    Exploration exploration) {

  /** Share of the steps after which the learning rate falls. */
  private static final double DECAY_FROM = 0.5;

  private static final double LAST_RATE = 0.1;

  /** How often the critic sees each row before it is left alone. */
  private static final int CRITIC_EPOCHS = 12;

  /** Fewer steps teach a critic nothing, however few rows there are. */
  private static final long FEWEST_CRITIC_STEPS = 300;

  /** With fewer rows this is a test or a table, and there is no luck to learn. */
  private static final int FEWEST_NOISY_ROWS = 2000;

  /**
   * The seed and the length are the caller's; all else is what suits some ten thousand rows, served
   * without exploration beyond the policy's own.
   */
  public static TrainingPlan of(long seed, long steps) {
    return new TrainingPlan(
        seed,
        steps,
        512,
        1e-3,
        Adam.DEFAULT,
        0.005,
        100,
        NetworkConfig.DEFAULT,
        Exploration.asUsed(1, 0));
  }

  public TrainingPlan {
    if (steps < 1 || batchSize < 1 || reportEvery < 1) {
      throw new IllegalArgumentException(
          "steps, batch size and report interval must be at least 1");
    }
    if (!(learningRate > 0) || !(targetRate > 0 && targetRate <= 1)) {
      throw new IllegalArgumentException(
          "learning rate " + learningRate + ", target rate " + targetRate);
    }
  }

  public TrainingPlan withSteps(long count) {
    return new TrainingPlan(
        seed, count, batchSize, learningRate, adam, targetRate, reportEvery, networks, exploration);
  }

  public TrainingPlan withBatchSize(int rows) {
    return new TrainingPlan(
        seed, steps, rows, learningRate, adam, targetRate, reportEvery, networks, exploration);
  }

  public TrainingPlan withLearningRate(double rate) {
    return new TrainingPlan(
        seed, steps, batchSize, rate, adam, targetRate, reportEvery, networks, exploration);
  }

  public TrainingPlan withNetworks(NetworkConfig widths) {
    return new TrainingPlan(
        seed, steps, batchSize, learningRate, adam, targetRate, reportEvery, widths, exploration);
  }

  public TrainingPlan withExploration(Exploration served) {
    return new TrainingPlan(
        seed, steps, batchSize, learningRate, adam, targetRate, reportEvery, networks, served);
  }

  /** The actor's learning rate at step 1, 2, ... */
  double rate(long step) {
    return decayed(step, steps);
  }

  /**
   * The critic's learning rate at step 1, 2, ...: it ends after {@link #CRITIC_EPOCHS}, while the
   * actor goes on under values that no longer change.
   *
   * <p>A critic that sees the same rows too often learns their luck by heart; advantages then say
   * what happened in a row and no longer what an action is worth, and the policy falls back towards
   * the log.
   */
  double criticRate(long step, int rows) {
    if (rows < FEWEST_NOISY_ROWS) {
      return decayed(step, steps);
    }
    long enough = Math.max(FEWEST_CRITIC_STEPS, (long) CRITIC_EPOCHS * rows / batchSize);
    long last = Math.min(steps, enough);
    return step <= last ? decayed(step, last) : 0;
  }

  private double decayed(long step, long last) {
    double left = (1 - (double) step / last) / (1 - DECAY_FROM);
    return learningRate * (LAST_RATE + (1 - LAST_RATE) * Math.min(1, left));
  }
}
