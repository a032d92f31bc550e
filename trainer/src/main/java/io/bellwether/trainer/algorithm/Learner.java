package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkSchema;

/** Trains policies. Stateless, so thread-safe; a run holds its native memory until it returns. */
public final class Learner {
  private final OrtEnvironment environment;

  public Learner(OrtEnvironment environment) {
    this.environment = environment;
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
        new Engine(environment, algorithm, schema, data, plan, listener, checkpoints));
  }
}
