package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Imitation of logged actions, of some more than of others: {@code -E_D[w log π(a|s)]}. Asks
 * nothing of actions that were not logged but their place in the policy.
 */
final class WeightedImitation {
  /**
   * Below this deviation, in units of the signal's scale, advantages are noise that must not be
   * blown up.
   */
  private static final float SMALLEST_DEVIATION = 0.01f;

  private static final float SMALLEST_WEIGHT = 1e-6f;

  private WeightedImitation() {}

  /** Trains the actor by weights {@code [B, 1]}. */
  static void minimise(StepGraph step, Tensor weight, double logitPenalty) {
    Tensor likelihood = step.actor().loggedLogPolicy();
    step.gauge("actor.likelihood", step.mean(likelihood));
    Tensor imitation = step.mean(weight.stopGradient().mul(likelihood)).negate();
    step.minimiseActor(imitation.add(step.actor().meanSquaredLogit().mul((float) logitPenalty)));
  }

  /** {@code min(exp(x), most)} of exponents {@code [B, 1]}. */
  static Tensor exponential(Tensor exponent, double most) {
    return exponent.min(exponent.graph().constant((float) Math.log(most))).exp();
  }

  /** Weights {@code [B, 1]} in units of their mean over the batch. */
  static Tensor relative(StepGraph step, Tensor weight) {
    return weight.div(step.mean(weight).max(weight.graph().constant(SMALLEST_WEIGHT)));
  }

  /** The deviation of advantages {@code [B, 1]} over the batch: a scalar. */
  static Tensor deviation(Tensor advantage) {
    Tensor deviation = advantage.sub(advantage.mean()).square().mean().sqrt();
    return deviation.max(advantage.graph().constant(SMALLEST_DEVIATION)).stopGradient();
  }
}
