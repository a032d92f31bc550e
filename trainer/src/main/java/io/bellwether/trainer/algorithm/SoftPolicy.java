package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * The served actor as one that is paid for its entropy: it moves towards {@code softmax(Q / α)},
 * which is where {@code Σ_a π(a|s) (α log π(a|s) - Q(s, a))} is smallest.
 */
final class SoftPolicy {
  private static final String LOG_TEMPERATURE = "temperature.log";

  /** Bounds of log α: a temperature beyond them is a mistake of the rewards' unit. */
  private static final float LOWEST = -9;

  private static final float HIGHEST = 7;

  private final StepGraph step;
  private final Temperature setting;
  private final Tensor temperature;

  SoftPolicy(StepGraph step, Temperature setting) {
    this.step = step;
    this.setting = setting;
    this.temperature =
        setting.rate() == 0
            ? step.graph().constant((float) setting.first())
            : logarithm().exp().reshape(Shape.of());
  }

  private Tensor logarithm() {
    return step.carried(LOG_TEMPERATURE, new float[] {(float) Math.log(setting.first())});
  }

  /** Entropy of the served policy in nats, {@code [B, 1]}. */
  static Tensor entropy(StepActor actor, Moment moment) {
    return actor.policy(moment).mul(actor.logPolicy(moment)).sum(-1).negate();
  }

  /**
   * What the next state is worth, {@code [B, S]}, by values {@code [B, M, S]}: the objective's with
   * what its entropy is worth.
   */
  Tensor nextValue(Tensor values) {
    float[] objective = new float[step.signals()];
    objective[0] = 1;
    Tensor bonus = entropy(step.actor(), Moment.NEXT).mul(temperature);
    return step.expectation(step.actor().policy(Moment.NEXT), values)
        .add(bonus.mul(step.graph().constant(objective, Shape.of(1, objective.length))))
        .stopGradient();
  }

  /** Trains the actor for values {@code [B, M]}, and the temperature where it is not fixed. */
  void improve(Tensor values) {
    improve(values, step.graph().constant(0f));
  }

  /** {@code penalty}: a scalar that is minimised as well. */
  void improve(Tensor values, Tensor penalty) {
    StepActor actor = step.actor();
    Tensor cost = actor.logPolicy(Moment.NOW).mul(temperature).sub(values.stopGradient());
    step.gauge("actor.entropy", step.mean(entropy(actor, Moment.NOW)));
    step.gauge("actor.temperature", temperature);
    step.minimiseActor(step.mean(actor.policy(Moment.NOW).mul(cost).sum(-1)).add(penalty));
    if (setting.rate() > 0) {
      adapt(entropy(actor, Moment.NOW));
    }
  }

  private void adapt(Tensor entropy) {
    Graph graph = step.graph();
    Tensor candidates = step.open(Moment.NOW).sum(-1).max(graph.constant(1f));
    Tensor missing = candidates.log().mul((float) setting.entropyShare()).sub(entropy);
    Tensor growth = step.mean(missing).mul((float) setting.rate()).reshape(1);
    step.carry(LOG_TEMPERATURE, logarithm().add(growth).clip(LOWEST, HIGHEST));
  }
}
