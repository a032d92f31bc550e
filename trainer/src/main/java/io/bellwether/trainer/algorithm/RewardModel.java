package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Regression of every signal's reward on state and action, which the direct method and doubly
 * robust estimators rest on.
 *
 * <p>Squared error per signal in units of its standard deviation: the minimiser is the conditional
 * mean, for rare flags too. Trains the critic's {@code Q(s, a)} with discount 0 and nothing else.
 */
public record RewardModel() implements Algorithm {

  @Override
  public void addLosses(StepGraph step) {
    Tensor error = step.critic().logged().sub(step.rewards());
    Tensor loss = step.mean(error.square());
    step.minimiseCritic(loss);
  }
}
