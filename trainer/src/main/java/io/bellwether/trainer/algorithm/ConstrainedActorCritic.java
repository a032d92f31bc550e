package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/**
 * Offline actor-critic under constraints: an in-sample critic per signal, an advantage-weighted
 * actor, and a price per promise.
 *
 * <p>Nothing is asked of an action that was never logged: values are learned at logged actions, and
 * the actor imitates them the more, the better they were by the combined advantage.
 *
 * <p>Sources: Kostrikov, Nair and Levine, "Offline Reinforcement Learning with Implicit
 * Q-Learning", 2022; Peng and others, "Advantage-Weighted Regression", 2019; multipliers as in
 * {@link MultiplierConfig}. Differences: (1) one critic per signal in place of one over a sum; (2)
 * one Q network without a slow copy, the value target {@code V'} is the slow one; (3) squared error
 * for Q, since Huber's estimates something below the mean for rare flags; (4) advantages in units
 * of their deviation over the batch; (5) weights divided by their batch mean.
 */
public record ConstrainedActorCritic(
    Config config, List<Promise> promises, MultiplierConfig multipliers) implements Algorithm {

  /*
   * Symbols, per row (s, a, r, s') and signal i, all in units of the signal's scale:
   *
   *   Q_i(s, a) ← r_i + discount · continues · V'_i(s')            squared error
   *   V_i(s)    ← Q_i(s, a)                                        expectile: |τ_i - 1{u < 0}| u²,  u = Q_i - V_i
   *   A_i       = (Q_i - V_i) / deviation over the batch
   *   A         = (A_0 + Σ_i sign_i λ_i A_i) / (1 + Σ_i λ_i)
   *   L_actor   = -mean( (w / mean w + logPull) · log π(a|s) ),    w = min(exp(b A), w_max)
   *
   * Invariants: λ_i >= 0 are inputs, so the graph never changes them; no gradient flows from the actor to the critic.
   */

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param objectiveExpectile τ of the objective's V: above 0.5 it looks for the better of the
   *     logged actions
   * @param promiseExpectile τ of all other signals: 0.5 is the mean, since a promise is about what
   *     happens on average
   * @param inverseTemperature b: how strongly better actions are preferred, at least 0; 0 is
   *     behaviour cloning
   * @param maxWeight largest weight of one row in the actor's loss
   * @param logPull weight of plain imitation beside the weighted one, at least 0
   * @param logitPenalty weight of the mean squared logit, at least 0
   */
  public record Config(
      double discount,
      double objectiveExpectile,
      double promiseExpectile,
      double inverseTemperature,
      double maxWeight,
      double logPull,
      double logitPenalty) {

    public static final Config DEFAULT = new Config(0, 0.7, 0.5, 3, 100, 0, 1e-4);

    public Config {
      if (!(discount >= 0 && discount < 1)) {
        throw new IllegalArgumentException("discount must be in [0, 1), not " + discount);
      }
      if (!(isShare(objectiveExpectile) && isShare(promiseExpectile))) {
        throw new IllegalArgumentException("expectiles lie between 0 and 1");
      }
      if (!(inverseTemperature >= 0 && maxWeight >= 1 && logPull >= 0 && logitPenalty >= 0)) {
        throw new IllegalArgumentException(
            "temperature, pull and penalty are at least 0, the largest weight 1");
      }
    }

    private static boolean isShare(double value) {
      return value > 0 && value < 1;
    }

    public Config withDiscount(double value) {
      return new Config(
          value,
          objectiveExpectile,
          promiseExpectile,
          inverseTemperature,
          maxWeight,
          logPull,
          logitPenalty);
    }

    public Config withInverseTemperature(double value) {
      return new Config(
          discount, objectiveExpectile, promiseExpectile, value, maxWeight, logPull, logitPenalty);
    }

    public Config withObjectiveExpectile(double value) {
      return new Config(
          discount, value, promiseExpectile, inverseTemperature, maxWeight, logPull, logitPenalty);
    }
  }

  /**
   * Below this deviation, in units of the signal's scale, advantages are noise that must not be
   * blown up.
   */
  private static final float SMALLEST_DEVIATION = 0.01f;

  public ConstrainedActorCritic {
    promises = List.copyOf(promises);
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    Tensor values = step.critic().state(Moment.NOW);
    Tensor actionValues = step.critic().logged();
    Tensor surprise = actionValues.stopGradient().sub(values);
    Tensor regression = step.mean(actionValues.sub(target(step)).square());
    Tensor expectile = step.mean(expectileLoss(surprise));
    step.gauge("critic.regression", regression);
    step.gauge("critic.expectile", expectile);
    step.minimiseCritic(regression.add(expectile));
    step.minimiseActor(actorLoss(step, combine(step, surprise.stopGradient())));
  }

  private Tensor target(StepGraph step) {
    if (config.discount == 0) {
      return step.rewards();
    }
    Tensor future =
        step.slowCritic(0).state(Moment.NEXT).mul(step.continues()).mul((float) config.discount);
    return step.rewards().add(future);
  }

  private Tensor expectileLoss(Tensor surprise) {
    Graph graph = surprise.graph();
    int signals = (int) surprise.shape().width();
    float[] above = new float[signals];
    float[] below = new float[signals];
    for (int signal = 0; signal < signals; signal++) {
      double expectile = signal == 0 ? config.objectiveExpectile : config.promiseExpectile;
      above[signal] = (float) expectile;
      below[signal] = (float) (1 - expectile);
    }
    Shape perSignal = Shape.of(1, signals);
    Tensor weight =
        surprise
            .isLessThan(graph.constant(0f))
            .select(graph.constant(below, perSignal), graph.constant(above, perSignal));
    return surprise.square().mul(weight);
  }

  /**
   * Advantages {@code [B, signals]} in units of their deviations, by their prices: {@code [B, 1]}.
   */
  static Tensor combine(StepGraph step, Tensor advantages) {
    Tensor centred = advantages.sub(advantages.mean(0));
    Tensor deviation =
        centred.square().mean(0).sqrt().max(advantages.graph().constant(SMALLEST_DEVIATION));
    Tensor prices = step.prices();
    Tensor total = prices.max(prices.negate()).sum(-1);
    return advantages.div(deviation).mul(prices).sum(-1).div(total);
  }

  private Tensor actorLoss(StepGraph step, Tensor advantage) {
    Graph graph = advantage.graph();
    Tensor exponent = advantage.mul((float) config.inverseTemperature);
    Tensor weight = exponent.min(graph.constant((float) Math.log(config.maxWeight))).exp();
    Tensor relative = weight.div(step.mean(weight)).add((float) config.logPull);
    Tensor loglikelihood = step.actor().loggedLogPolicy();
    step.gauge("actor.likelihood", step.mean(loglikelihood));
    step.gauge("actor.effectiveShare", effectiveShare(weight));
    Tensor imitation = step.mean(relative.mul(loglikelihood)).negate();
    return imitation.add(step.actor().meanSquaredLogit().mul((float) config.logitPenalty));
  }

  /**
   * Effective sample size of the weights as a share of the batch: how much of the log the actor
   * still listens to.
   */
  private static Tensor effectiveShare(Tensor weight) {
    return weight.mean().square().div(weight.square().mean());
  }
}
