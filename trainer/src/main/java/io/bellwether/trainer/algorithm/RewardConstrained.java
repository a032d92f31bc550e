package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/**
 * A Lagrangian with one critic, that of the penalised reward: the baseline beside {@link
 * PidActorCritic}. Every price that moves makes the critic's past wrong, and what is dense drowns
 * what is sparse.
 *
 * <p>Source: Tessler, Mankowitz and Mannor, "Reward Constrained Policy Optimization", 2018, with
 * exact sums over candidates, promises judged by weighing logged rewards, and a divergence from the
 * logging policy that keeps it in the data.
 *
 * <pre>
 * Q(s, a) ← (r_0 + Σ_i sign_i λ_i r_i) / (1 + Σ_i λ_i) + discount · continues · Σ_a' π(a'|s') Q'(s', a')
 * L_actor = E_s[ -Σ_a π(a|s) Q(s, a) + closeness · KL(π ‖ β) ]
 * </pre>
 *
 * @param discount weight of the next row in a return, in [0, 1)
 * @param closeness weight of the divergence from the logging policy, in units of the objective's
 *     scale per nat, at least 0
 */
public record RewardConstrained(
    double discount, double closeness, List<Promise> promises, MultiplierConfig multipliers)
    implements Algorithm {

  /** The gains of the library that published them: slow, as they assume rewards of unit size. */
  public static final MultiplierConfig LIBRARY_GAINS =
      new MultiplierConfig(0.1, 0.003, 0.001, 50, 50, 8192, 0);

  public RewardConstrained {
    promises = List.copyOf(promises);
    if (!(discount >= 0 && discount < 1 && closeness >= 0)) {
      throw new IllegalArgumentException("discount " + discount + ", closeness " + closeness);
    }
  }

  @Override
  public double plans() {
    return PolicyStages.IMITATION + 1;
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    return engine.learn(this, PolicyStages.of(engine, discount, 1).givenActor()).withoutCritic();
  }

  @Override
  public void addLosses(StepGraph step) {
    Tensor prices = step.prices();
    Tensor total = prices.max(prices.negate()).sum(-1).max(step.graph().constant(1f));
    Tensor target = step.rewards().mul(prices).sum(-1).div(total);
    if (discount > 0) {
      Tensor next = step.output(step.slowCritic(0).all(Moment.NEXT), 0);
      Tensor future = step.slowActor().policy(Moment.NEXT).mul(next).sum(-1);
      target = target.add(future.mul(step.continues()).mul((float) discount)).stopGradient();
    }
    step.minimiseCritic(
        step.mean(step.critic().logged().slice(1, 0, 1).sub(target).square()), Pace.THROUGHOUT);
    step.minimiseActor(actorLoss(step));
  }

  private Tensor actorLoss(StepGraph step) {
    Tensor values = step.output(step.slowCritic(0).all(Moment.NOW), 0).stopGradient();
    Tensor policy = step.actor().policy(Moment.NOW);
    Tensor divergence =
        policy
            .mul(
                step.actor()
                    .logPolicy(Moment.NOW)
                    .sub(PolicyCritics.logBehaviour(step, Moment.NOW)))
            .sum(-1);
    step.gauge("actor.divergence", step.mean(divergence));
    return step.mean(divergence.mul((float) closeness).sub(policy.mul(values).sum(-1)));
  }
}
