package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.TransitionSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What shall be trained, on what, and how long.
 *
 * @param surface that the policy is for
 * @param source of the logged transitions
 * @param method how it is trained
 * @param seed of first weights and of the batch plan: the same data and seed give the same graph
 * @param steps of the optimiser
 * @param batchSize rows per step
 * @param parallelism of the stage that feeds the learner; changes nothing but the speed
 * @param heldOutShare share of the subjects that is left to evaluation, in [0, 1)
 * @param parent the version that this one shall replace; absent for a first one
 * @param folder where the run keeps its progress and its result; every task must reach it
 */
public record TrainingRequest(
    Surface surface,
    TransitionSource source,
    TrainingMethod method,
    long seed,
    long steps,
    int batchSize,
    int parallelism,
    double heldOutShare,
    @Nullable VersionId parent,
    Path folder) {

  private static final long STEPS = 2000;
  private static final int BATCH_SIZE = 512;

  public TrainingRequest {
    if (steps < 1 || batchSize < 1 || parallelism < 1) {
      throw new IllegalArgumentException(
          "steps, batch size and parallelism are at least 1, found %d, %d and %d"
              .formatted(steps, batchSize, parallelism));
    }
  }

  /** Seed 1, 2000 steps of 512 rows, one feeder, nothing held out, no parent. */
  public static TrainingRequest of(
      Surface surface, TransitionSource source, TrainingMethod method, Path folder) {
    return new TrainingRequest(surface, source, method, 1, STEPS, BATCH_SIZE, 1, 0, null, folder);
  }

  public TrainingRequest withSeed(long other) {
    return new TrainingRequest(
        surface,
        source,
        method,
        other,
        steps,
        batchSize,
        parallelism,
        heldOutShare,
        parent,
        folder);
  }

  public TrainingRequest withSteps(long count) {
    return new TrainingRequest(
        surface, source, method, seed, count, batchSize, parallelism, heldOutShare, parent, folder);
  }

  public TrainingRequest withBatchSize(int rows) {
    return new TrainingRequest(
        surface, source, method, seed, steps, rows, parallelism, heldOutShare, parent, folder);
  }

  public TrainingRequest withParallelism(int feeders) {
    return new TrainingRequest(
        surface, source, method, seed, steps, batchSize, feeders, heldOutShare, parent, folder);
  }

  public TrainingRequest withHeldOutShare(double share) {
    return new TrainingRequest(
        surface, source, method, seed, steps, batchSize, parallelism, share, parent, folder);
  }

  public TrainingRequest withParent(VersionId version) {
    return new TrainingRequest(
        surface,
        source,
        method,
        seed,
        steps,
        batchSize,
        parallelism,
        heldOutShare,
        version,
        folder);
  }
}
