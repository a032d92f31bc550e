package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * A soft actor-critic that pays for novelty: what was never logged in a state like this costs as
 * much as it is strange. Asks for no propensities, so that it suits logs whose policy is unknown.
 *
 * <p>Source: Nikulin and others, "Anti-Exploration by Random Network Distillation", 2023.
 * Differences: (1) both novelty networks are critics of ours, whose mixing of state and item is
 * bilinear, which the source shows to be needed; (2) novelty is computed once per candidate of the
 * data, after the predictor is trained, and is in units of its mean at logged actions; (3) it is
 * cut off at {@link Config#most}.
 */
public record AntiExploration(Config config) implements Algorithm {

  /*
   * b(s, a) = novelty of the candidate, Q' slow copies, α the temperature, objective alone:
   *
   *   y   = r + discount · continues · Σ_a' π(a'|s') [ min Q'(s', a') - penalty · b(s', a') - α log π(a'|s') ]
   *   L_π = Σ_a π(a|s) [ α log π(a|s) + penalty · b(s, a) - min Q(s, a) ]
   */

  private static final String NOVELTY = "novelty";

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param penalty what a candidate as novel as the mean logged action costs, in units of the
   *     objective's scale, at least 0
   * @param most largest novelty that is charged, in the same unit as novelty, above 0
   * @param temperature what entropy is worth
   */
  public record Config(double discount, double penalty, double most, Temperature temperature) {

    public static final Config DEFAULT = new Config(0, 0.5, 20, Temperature.AUTOMATIC);

    public Config {
      if (!(discount >= 0 && discount < 1 && penalty >= 0 && most > 0)) {
        throw new IllegalArgumentException(
            "discount %s, penalty %s, most %s".formatted(discount, penalty, most));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, penalty, most, temperature);
    }

    public Config withPenalty(double value) {
      return new Config(discount, value, most, temperature);
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
    TrainedPolicy predictor = engine.learn(new Novelty(), Given.NONE);
    float[] novelty =
        Novelty.of(predictor, engine.environment(), engine.data(), engine.plan().batchSize());
    Novelty.scale(novelty, engine.data());
    for (int i = 0; i < novelty.length; i++) {
      novelty[i] = (float) Math.min(config.most, novelty[i]);
    }
    return engine.learn(this, Given.NONE.withCandidates(NOVELTY, novelty));
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    SoftPolicy policy = new SoftPolicy(step, config.temperature);
    Tensor target =
        critics.backup(
            () -> policy.nextValue(critics.slow(Moment.NEXT).sub(costs(step, Moment.NEXT))));
    step.minimiseCritic(critics.regression(target), critics.pace());
    Tensor novelty = step.perCandidate(NOVELTY, Moment.NOW);
    step.gauge("actor.novelty", step.mean(step.actor().policy(Moment.NOW).mul(novelty).sum(-1)));
    step.gauge("logged.novelty", step.mean(step.loggedAction().mul(novelty).sum(-1)));
    policy.improve(
        step.output(critics.all(Moment.NOW), 0).sub(novelty.mul((float) config.penalty)));
  }

  /** What the candidates' novelty costs the objective, {@code [B, M, signals]}. */
  private Tensor costs(StepGraph step, Moment moment) {
    float[] objective = new float[step.signals()];
    objective[0] = (float) config.penalty;
    return step.perCandidate(NOVELTY, moment)
        .reshape(step.rows(), step.slots(), 1)
        .mul(step.graph().constant(objective, Shape.of(1, 1, objective.length)));
  }
}
