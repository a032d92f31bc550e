package io.bellwether.evaluation.experiment;

import java.util.List;

/**
 * Where a rollout stands.
 *
 * @param plan at least one step
 * @param at 0-based index of the step that is running
 * @param paused whether a person has stopped the rollout from moving by itself
 */
public record Situation(List<RolloutStep> plan, int at, boolean paused) {

  public Situation {
    plan = List.copyOf(plan);
    if (at < 0 || at >= plan.size()) {
      throw new IllegalArgumentException("step %d of %d".formatted(at, plan.size()));
    }
  }

  public RolloutStep step() {
    return plan.get(at);
  }

  boolean last() {
    return at == plan.size() - 1;
  }

  RolloutStep next() {
    return plan.get(at + 1);
  }

  /** Whether nothing can be compared any more after this step. */
  boolean endsComparison() {
    return last() || next().share() == RolloutStep.EVERYBODY;
  }
}
