package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Teaches the served actor a policy of which the chance of every candidate is known.
 *
 * <p>Given per candidate: {@link #TARGET}, logs of these chances; per row, for a regression: {@link
 * #WEIGHT}.
 *
 * @param factor what the distance is multiplied by, above 0
 */
record Distillation(ActorLoss loss, double factor) implements Algorithm {
  static final String TARGET = "target";
  static final String WEIGHT = "weight";

  @Override
  public void addLosses(StepGraph step) {
    Tensor surplus = step.actor().logPolicy(Moment.NOW).sub(step.perCandidate(TARGET, Moment.NOW));
    Tensor policy = step.actor().policy(Moment.NOW).mul(step.open(Moment.NOW));
    Tensor distance = step.mean(policy.mul(surplus).sum(-1));
    step.gauge("actor.distance", distance);
    Tensor aim =
        loss == ActorLoss.REGRESSION
            ? step.mean(step.perRow(WEIGHT).mul(step.actor().loggedLogPolicy())).negate()
            : distance;
    step.minimiseActor(aim.mul((float) factor));
  }
}
