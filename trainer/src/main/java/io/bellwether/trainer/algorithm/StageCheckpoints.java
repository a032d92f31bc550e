package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what one stage of a run holds, and brings it back. Confined to one thread.
 *
 * @param identity of the stage; asked once, and only where checkpoints are kept
 */
record StageCheckpoints(
    Checkpoints checkpoints,
    int stage,
    Supplier<RunIdentity> identity,
    TrainingSession session,
    StepGraph graph) {
  private static final String WATCH = "watch";

  static StageCheckpoints of(
      Checkpoints checkpoints,
      int stage,
      Supplier<RunIdentity> identity,
      TrainingSession session,
      StepGraph graph) {
    if (!checkpoints.areKept()) {
      return new StageCheckpoints(checkpoints, stage, identity, session, graph);
    }
    RunIdentity known = identity.get();
    return new StageCheckpoints(checkpoints, stage, () -> known, session, graph);
  }

  /** Brings back what was kept, reports included, and says how many steps that were. */
  long resume(DivergenceWatch watch, @Nullable PriceControl prices, List<Progress> history) {
    if (!checkpoints.areKept()) {
      return 0;
    }
    Optional<Checkpoint> found = checkpoints.read(stage, identity.get());
    found.ifPresent(
        checkpoint -> {
          checkpoint.values().forEach((name, values) -> StepGraph.write(session, name, values));
          watch.recall(checkpoint.memory().getOrDefault(WATCH, watch.memory()));
          if (prices != null) {
            prices.recall(checkpoint.memory());
          }
          history.addAll(checkpoint.history());
        });
    return found.map(Checkpoint::step).orElse(0L);
  }

  /**
   * Keeps this step if it is time, or the last of its stage.
   *
   * @param history reports of this stage
   * @throws DivergedException when a state is not finite: the last good checkpoint stays
   */
  void offer(
      long step,
      boolean last,
      DivergenceWatch watch,
      @Nullable PriceControl prices,
      List<Progress> history) {
    if (!checkpoints.areKept() || !(last || checkpoints.isDue())) {
      return;
    }
    SortedMap<String, double[]> memory = new TreeMap<>();
    memory.put(WATCH, watch.memory());
    if (prices != null) {
      prices.addMemory(memory);
    }
    Checkpoint checkpoint = new Checkpoint(step, values(), memory, history);
    checkpoint
        .spoiled()
        .ifPresent(
            name -> {
              throw new DivergedException(step, name + " holds what is no finite number");
            });
    checkpoints.write(stage, identity.get(), checkpoint);
  }

  /** All states, and the weights that are fed since nothing in the graph moves them. */
  private SortedMap<String, float[]> values() {
    SortedMap<String, float[]> values = new TreeMap<>();
    for (String name : session.states()) {
      values.put(name, session.read(name));
    }
    for (String name : graph.weightNames()) {
      if (!session.hasState(name)) {
        values.put(name, Engine.weights(session, name));
      }
    }
    return values;
  }
}
