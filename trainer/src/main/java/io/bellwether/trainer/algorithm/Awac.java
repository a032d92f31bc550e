package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Advantage-weighted actor-critic: imitates the log by exponential weights of what the policy's own
 * critics say, normalised over the batch.
 *
 * <p>Source: Nair and others, "AWAC: Accelerating Online Reinforcement Learning with Offline
 * Datasets", 2020. Difference: the advantage is against the exact expectation of the policy.
 */
public record Awac(Config config) implements Algorithm {

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param temperature of the weights, in units of the objective's scale, above 0
   * @param maxWeight largest weight before they are normalised, at least 1
   * @param logitPenalty weight of the mean squared logit, at least 0
   */
  public record Config(double discount, double temperature, double maxWeight, double logitPenalty) {

    public static final Config DEFAULT = new Config(0, 1, 100, 1e-4);

    public Config {
      if (!(discount >= 0 && discount < 1 && temperature > 0)) {
        throw new IllegalArgumentException(
            "discount %s, temperature %s".formatted(discount, temperature));
      }
      if (!(maxWeight >= 1 && logitPenalty >= 0)) {
        throw new IllegalArgumentException(
            "largest weight %s, logit penalty %s".formatted(maxWeight, logitPenalty));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, temperature, maxWeight, logitPenalty);
    }

    public Config withTemperature(double value) {
      return new Config(discount, value, maxWeight, logitPenalty);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    Tensor target = critics.target(step.actor()::policy);
    step.minimiseCritic(critics.regression(target), critics.pace());
    Tensor advantage = critics.loggedAdvantage(step.actor().policy(Moment.NOW));
    Tensor weight =
        WeightedImitation.exponential(
            advantage.mul((float) (1 / config.temperature)), config.maxWeight);
    WeightedImitation.minimise(step, WeightedImitation.relative(step, weight), config.logitPenalty);
  }
}
