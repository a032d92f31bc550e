package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;

/**
 * Twin critics whose smaller value counts, an actor that moves less often than they do, and
 * imitation of the log beside it; each of the three can be turned off.
 *
 * <p>Sources: Fujimoto, van Hoof and Meger, "Addressing Function Approximation Error in
 * Actor-Critic Methods", 2018 (TD3); Fujimoto and Gu, "A Minimalist Approach to Offline
 * Reinforcement Learning", 2021 (TD3+BC). Differences: (1) the actor is a distribution over
 * candidates, and expectations are exact; (2) in place of noise on the next action, that action is
 * drawn from a softmax over its values, or from the slow copy of the actor where smoothing is 0.
 */
public record Td3(Config config) implements Algorithm {

  /*
   * Per row (s, a, r, s'), Q' slow copies, in units of the signal's scale:
   *
   *   y   = r + discount · continues · Σ_b π'(b|s') min Q'(s', b),   π' ∝ exp( min Q'_0 / (smoothing · deviation of Q'_0) )
   *   L_π = -valueWeight / mean |Q_0| · Σ_b π(b|s) Q_0(s, b) - log π(a|s)
   */

  /** Values smaller than this do not make their weight larger. */
  private static final float SMALLEST_VALUE = 1e-3f;

  private static final float SMALLEST_DEVIATION = 1e-3f;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param twin whether there are two critics of which the smaller counts, or one
   * @param actorEvery steps of the critics per step of the actor, at least 1
   * @param smoothing temperature of the next action as a share of the deviation of its values over
   *     the row's candidates, at least 0; 0 takes the slow actor's own chances
   * @param valueWeight weight of the values in units of their mean size, at least 0
   * @param imitation weight of imitation, at least 0
   */
  public record Config(
      double discount,
      boolean twin,
      int actorEvery,
      double smoothing,
      double valueWeight,
      double imitation) {

    public static final Config DEFAULT = new Config(0, true, 2, 0.1, 2.5, 1);

    public Config {
      if (!(discount >= 0 && discount < 1 && actorEvery >= 1 && smoothing >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, actor every %d steps, smoothing %s"
                .formatted(discount, actorEvery, smoothing));
      }
      if (!(valueWeight >= 0 && imitation >= 0)) {
        throw new IllegalArgumentException("weights of values and imitation are at least 0");
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, twin, actorEvery, smoothing, valueWeight, imitation);
    }

    public Config withSmoothing(double value) {
      return new Config(discount, twin, actorEvery, value, valueWeight, imitation);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics =
        new TwinCritics(step, config.discount, config.twin ? 2 : 1, Agreement.SMALLEST);
    Tensor target =
        critics.target(
            moment ->
                config.smoothing == 0
                    ? step.slowActor().policy(moment)
                    : smoothed(step, step.output(critics.slow(moment), 0), moment));
    step.minimiseCritic(critics.regression(target), critics.pace());
    Graph graph = step.graph();
    Tensor worth =
        step.actor()
            .policy(Moment.NOW)
            .mul(step.output(step.critic().all(Moment.NOW), 0).stopGradient())
            .sum(-1);
    Tensor size = step.mean(worth.max(worth.negate())).max(graph.constant(SMALLEST_VALUE));
    Tensor value = step.mean(worth).mul((float) config.valueWeight).div(size.stopGradient());
    Tensor likelihood = step.mean(step.actor().loggedLogPolicy());
    step.gauge("actor.likelihood", likelihood);
    step.minimiseActor(
        value.add(likelihood.mul((float) config.imitation)).negate(),
        Pace.THROUGHOUT.every(config.actorEvery));
  }

  private Tensor smoothed(StepGraph step, Tensor values, Moment moment) {
    Graph graph = step.graph();
    Tensor open = step.open(moment);
    Tensor count = open.sum(-1).max(graph.constant(1f));
    Tensor centred = values.sub(values.mul(open).sum(-1).div(count)).mul(open);
    Tensor deviation =
        centred.square().sum(-1).div(count).sqrt().max(graph.constant(SMALLEST_DEVIATION));
    return graph
        .constant(0.5f)
        .isLessThan(open)
        .select(
            centred.div(deviation.mul((float) config.smoothing)), graph.constant(StepActor.MASKED))
        .softmax();
  }
}
