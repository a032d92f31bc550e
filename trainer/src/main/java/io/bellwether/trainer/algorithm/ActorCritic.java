package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Actor-critic of the objective alone, held near the log by a divergence: the negative control. It
 * shows what is lost where promises are left aside.
 *
 * <p>Source: behaviour-regularised actor-critic, Wu, Tucker and Nachum, "Behavior Regularized
 * Offline Reinforcement Learning", 2019, with exact sums over candidates; its policy is {@code π ∝
 * β exp(A / (closeness · deviation of A))}. The logging policy β is that of an imitator.
 */
public record ActorCritic(Config config) implements Algorithm {
  private static final String IMITATED = "imitated";

  /** Log chances below this are an imitator's noise. */
  private static final float LEAST_CHANCE = -14;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param closeness weight of the divergence from the logging policy, in units of the advantages'
   *     deviation, at least 0
   * @param entropy weight of the entropy, in the same units, at least 0
   */
  public record Config(double discount, double closeness, double entropy) {

    public static final Config DEFAULT = new Config(0, 0.3, 0.01);

    public Config {
      if (!(discount >= 0 && discount < 1 && closeness >= 0 && entropy >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, closeness %s, entropy %s".formatted(discount, closeness, entropy));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, closeness, entropy);
    }

    public Config withCloseness(double value) {
      return new Config(discount, value, entropy);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public double plans() {
    return 2;
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    return engine.learn(this, ActorChances.ofImitator(engine, IMITATED));
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    Tensor target = critics.target(step.actor()::policy);
    step.minimiseCritic(critics.regression(target), critics.pace());
    Tensor policy = step.actor().policy(Moment.NOW);
    Tensor unit = WeightedImitation.deviation(critics.loggedAdvantage(policy));
    Tensor values = step.output(critics.all(Moment.NOW), 0).div(unit);
    Tensor logPolicy = step.actor().logPolicy(Moment.NOW);
    Tensor imitated =
        step.perCandidate(IMITATED, Moment.NOW).max(step.graph().constant(LEAST_CHANCE));
    Tensor divergence = policy.mul(logPolicy.sub(imitated)).sum(-1);
    Tensor cost =
        divergence
            .mul((float) config.closeness)
            .sub(SoftPolicy.entropy(step.actor(), Moment.NOW).mul((float) config.entropy))
            .sub(policy.mul(values).sum(-1));
    step.gauge("actor.divergence", step.mean(divergence));
    step.minimiseActor(step.mean(cost));
  }
}
