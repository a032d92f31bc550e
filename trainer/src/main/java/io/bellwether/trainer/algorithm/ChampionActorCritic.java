package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.ParameterLayout;
import java.util.List;

/**
 * Soft actor-critic of the objective that is paid for staying near the champion, which the log came
 * from, in place of entropy; the temperature settles where the divergence is what the budget
 * allows. Promises are left aside: what a budget risks is bounded for all signals alike.
 *
 * <p>Sources: Christodoulou, "Soft Actor-Critic for Discrete Action Settings", 2019; for the
 * champion in place of the uniform policy, Wu, Tucker and Nachum, "Behavior Regularized Offline
 * Reinforcement Learning", 2019.
 *
 * <pre>
 * V(s)   = α log Σ_a β(a|s) exp(Q'(s, a) / α)        Q(s, a) ← r + discount · continues · V(s')
 * π(a|s) ∝ β(a|s) exp(Q(s, a) / α)                   log α grows by what KL(π ‖ β) exceeds the budget
 * </pre>
 *
 * @param discount weight of the next row in a return, in [0, 1)
 * @param budget mean divergence from the champion, in nats per decision, above 0
 */
public record ChampionActorCritic(double discount, double budget) implements Algorithm {

  /** Half a nat: the policy is about as surprising as a change of one action in two. */
  public static final double DEFAULT_BUDGET = 0.5;

  private static final String TEMPERATURE = "temperature";
  private static final double LEARNED = 1;

  /** Of the temperature's learning rate, which has few steps to find its place. */
  private static final double FASTER = 5;

  private static final float LOWEST = -9;
  private static final float HIGHEST = 7;

  public ChampionActorCritic {
    if (!(discount >= 0 && discount < 1 && budget > 0)) {
      throw new IllegalArgumentException("discount " + discount + ", budget " + budget);
    }
  }

  @Override
  public double plans() {
    return PolicyStages.IMITATION + LEARNED + PolicyStages.DISTILLATION;
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    PolicyStages stages = PolicyStages.of(engine, discount, 1);
    TrainedPolicy critics =
        engine.learn(this, stages.given(), PolicyStages.part(engine.plan(), LEARNED));
    float[] target =
        CandidatePass.everyCandidate(
            engine, critics, stages.given(), step -> logChances(step, Moment.NOW));
    return stages.served(target, new Distillation(ActorLoss.MATCHING, 1), List.of());
  }

  @Override
  public void addLosses(StepGraph step) {
    Tensor values = step.output(step.slowCritic(0).all(Moment.NEXT), 0).stopGradient();
    Tensor logChances = logChances(step, Moment.NEXT).stopGradient();
    Tensor chances = logChances.exp();
    Tensor divergence =
        chances.mul(logChances.sub(PolicyCritics.logBehaviour(step, Moment.NEXT))).sum(-1);
    Tensor target = step.rewards().slice(1, 0, 1);
    if (discount > 0) {
      Tensor value =
          chances.mul(values).sum(-1).sub(divergence.mul(temperature(step).stopGradient()));
      target = target.add(value.mul(step.continues()).mul((float) discount)).stopGradient();
    }
    step.minimiseCritic(
        step.mean(step.critic().logged().slice(1, 0, 1).sub(target).square()), Pace.THROUGHOUT);
    Tensor excess = step.mean(divergence).sub(step.graph().constant((float) budget));
    step.gauge("actor.divergence", step.mean(divergence));
    step.gauge("actor.temperature", temperature(step));
    step.minimise(
        List.of(TEMPERATURE),
        logTemperature(step).mul(excess.negate().stopGradient()),
        Pace.THROUGHOUT.times(FASTER));
  }

  private static Tensor logTemperature(StepGraph step) {
    return step.built(
        "logTemperature",
        () ->
            step.vector(
                    TEMPERATURE, ParameterLayout.single(TEMPERATURE, 1), returns -> new float[1])
                .get(TEMPERATURE)
                .reshape(Shape.of()));
  }

  private static Tensor temperature(StepGraph step) {
    return logTemperature(step).clip(LOWEST, HIGHEST).exp();
  }

  private static Tensor logChances(StepGraph step, Moment moment) {
    Tensor values = step.output(step.slowCritic(0).all(moment), 0);
    return PolicyCritics.normalised(
        step,
        moment,
        PolicyCritics.logBehaviour(step, moment).add(values.div(temperature(step).stopGradient())));
  }
}
