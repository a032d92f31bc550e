package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkSchema;

/** Trains policies. Stateless, so thread-safe; a run holds its native memory until it returns. */
public final class Learner {
  private final OrtEnvironment environment;
  private final int learners;

  public Learner(OrtEnvironment environment) {
    this(environment, 0);
  }

  private Learner(OrtEnvironment environment, int learners) {
    this.environment = environment;
    this.learners = learners;
  }

  /**
   * One that shares every batch among so many threads. Their number changes no bit of the result,
   * which is another one than that of a learner that does not share.
   *
   * @param count 1, 2, 4, 8 or 16; 0 for one that does not share
   */
  public Learner sharedBy(int count) {
    if (count < 0 || (count > 0 && SharedStep.PARTS % count != 0)) {
      throw new IllegalArgumentException("1, 2, 4, 8 or 16 learners share a batch, not " + count);
    }
    return new Learner(environment, count);
  }

  /**
   * Trains from first weights. The result is a function of algorithm, data and plan: one thread, no
   * clock, no generator with state.
   *
   * @throws InvalidLearnerDataException for data that no learner can use
   * @throws DivergedException when losses or values leave the range in which they mean something
   */
  public TrainedPolicy train(
      Algorithm algorithm,
      NetworkSchema schema,
      LearnerData data,
      TrainingPlan plan,
      ProgressListener listener) {
    return train(algorithm, schema, data, plan, listener, Checkpoints.NONE);
  }

  /**
   * The same, going on where an interrupted run of the same algorithm, data and plan left off: the
   * result is that of a run without interruption, bit by bit.
   */
  public TrainedPolicy train(
      Algorithm algorithm,
      NetworkSchema schema,
      LearnerData data,
      TrainingPlan plan,
      ProgressListener listener,
      Checkpoints checkpoints) {
    data.validate(schema);
    return algorithm.train(
        new Engine(environment, algorithm, schema, data, plan, listener, checkpoints, learners));
  }
}
