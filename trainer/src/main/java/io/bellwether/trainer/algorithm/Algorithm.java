package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A way to learn, stated as the losses of one step. The engine around it is {@link Engine}. An
 * algorithm is an immutable value, so that equal algorithms learn equal policies from equal data.
 */
public interface Algorithm {

  /** Adds this algorithm's losses and gauges to the graph of a step. */
  void addLosses(StepGraph step);

  /** Learns; an algorithm of several stages asks the engine once for each of them. */
  default TrainedPolicy train(Engine engine) {
    return engine.learn(this, Given.NONE);
  }

  /** How many plans' worth of steps all stages take together; for telling how far training is. */
  default double plans() {
    return 1;
  }

  /** The promises whose multipliers the engine controls while it trains. */
  default List<Promise> promises() {
    return List.of();
  }

  /** How multipliers are controlled. */
  default MultiplierConfig multipliers() {
    return MultiplierConfig.DEFAULT;
  }

  /**
   * What the learned policy is worth from a row's state on, in scaled units, {@code [B, signals]}:
   * promises are then judged by the mean of this over first states, against the returns that were
   * logged from there. Null: by weighting logged rewards.
   */
  default @Nullable Tensor judgedValues(StepGraph step) {
    return null;
  }

  /**
   * Whether promises are judged by discounted returns of episodes and not by means per row; a bound
   * per row is then to be given as a share of the log's.
   */
  default boolean judgesReturns() {
    return false;
  }

  /** Weight of the next row in a return, in [0, 1). */
  default double discount() {
    return 0;
  }

  /** Outputs of a critic per signal, at least 1: quantiles, or values of several horizons. */
  default int heads() {
    return 1;
  }

  /** The scheduled numbers of step 1, 2, ... by name; see {@link StepGraph#scheduled}. */
  default Map<String, Float> schedule(TrainingPlan plan, long step) {
    return Map.of();
  }

  /**
   * Per row of the data, whether it belongs to the first half of every batch; empty where batches
   * are drawn from all rows alike.
   */
  default boolean[] firstHalves() {
    return new boolean[0];
  }

  /** Looks at, or changes, what step 1, 2, ... left behind. */
  default void after(long step, TrainingSession session) {}
}
