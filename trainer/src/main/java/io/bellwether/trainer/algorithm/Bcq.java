package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;

/**
 * Discrete batch-constrained Q-learning: Q-learning over those candidates that an imitator of the
 * log would plausibly take.
 *
 * <p>Source: Fujimoto and others, "Benchmarking Batch Deep Reinforcement Learning Algorithms",
 * 2019. Differences: (1) the imitator is trained before, as a stage of its own; (2) what is
 * forbidden has no chance at all, in place of a small value; (3) an actor is taught the best
 * allowed candidate by a sharp softmax, since it is the actor that is exported and served with its
 * exploration.
 */
public record Bcq(Config config) implements Algorithm {
  private static final String IMITATED = "imitated";

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param threshold a candidate is allowed whose imitated chance, as a share of the largest of its
   *     row, is above this, in [0, 1)
   * @param temperature of the softmax over values that the actor is taught, in units of the
   *     objective's scale, above 0
   */
  public record Config(double discount, double threshold, double temperature) {

    public static final Config DEFAULT = new Config(0, 0.3, 0.1);

    public Config {
      if (!(discount >= 0 && discount < 1 && threshold >= 0 && threshold < 1 && temperature > 0)) {
        throw new IllegalArgumentException(
            "discount %s, threshold %s, temperature %s"
                .formatted(discount, threshold, temperature));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, threshold, temperature);
    }

    public Config withThreshold(double value) {
      return new Config(discount, value, temperature);
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
    Tensor target =
        critics.target(moment -> TwinCritics.best(allowed(step, critics.all(moment), moment)));
    step.minimiseCritic(critics.regression(target), critics.pace());
    Tensor taught =
        allowed(step, critics.all(Moment.NOW), Moment.NOW)
            .mul((float) (1 / config.temperature))
            .softmax()
            .stopGradient();
    step.minimiseActor(step.mean(taught.mul(step.actor().logPolicy(Moment.NOW)).sum(-1)).negate());
  }

  /** The objective's values where a candidate is allowed, {@code [B, M]}; else about -1e9. */
  private Tensor allowed(StepGraph step, Tensor values, Moment moment) {
    Graph graph = step.graph();
    Tensor masked = graph.constant(StepActor.MASKED);
    Tensor imitated =
        graph
            .constant(0.5f)
            .isLessThan(step.open(moment))
            .select(step.perCandidate(IMITATED, moment), masked);
    float least = (float) Math.max(Math.log(config.threshold), -1e6);
    return imitated.max(-1).add(least).isLessThan(imitated).select(step.output(values, 0), masked);
  }
}
