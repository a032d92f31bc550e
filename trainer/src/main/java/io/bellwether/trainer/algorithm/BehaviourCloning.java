package io.bellwether.trainer.algorithm;

/**
 * Imitation of the logging policy: the baseline beside every learner.
 *
 * <p>{@code L = -E_D[log π(a|s)] + penalty · mean(z²)} over real candidates. The penalty keeps
 * logits near 0, where the likelihood alone does not care; it is a hundredth of what imitators
 * inside BCQ use, because at 1e-2 a policy over three actions is already off by 3e-3.
 *
 * @param logitPenalty weight of the mean squared logit, at least 0
 */
public record BehaviourCloning(double logitPenalty) implements Algorithm {

  public static final BehaviourCloning DEFAULT = new BehaviourCloning(1e-4);

  @Override
  public void addLosses(StepGraph step) {
    var likelihood = step.mean(step.actor().loggedLogPolicy());
    step.gauge("actor.likelihood", likelihood);
    step.minimiseActor(
        likelihood.negate().add(step.actor().meanSquaredLogit().mul((float) logitPenalty)));
  }
}
