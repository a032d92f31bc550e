package io.bellwether.trainer.algorithm;

import java.util.List;

/** A way to learn, stated as the losses of one step. The engine around it is {@link Learner}. */
public sealed interface Algorithm permits BehaviourCloning, ConstrainedActorCritic, RewardModel {

  /** Adds this algorithm's losses and gauges to the graph of a step. */
  void addLosses(StepGraph step);

  /** The promises whose multipliers the engine controls while it trains. */
  default List<Promise> promises() {
    return List.of();
  }

  /** How multipliers are controlled. */
  default MultiplierConfig multipliers() {
    return MultiplierConfig.DEFAULT;
  }

  /** Weight of the next row in a return, in [0, 1). */
  default double discount() {
    return 0;
  }
}
