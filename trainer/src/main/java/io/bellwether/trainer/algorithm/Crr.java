package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Tensor;

/**
 * Critic-regularised regression: imitates the logged actions that are better than what the policy
 * does by itself.
 *
 * <p>Source: Wang and others, "Critic Regularized Regression", 2020. Differences: (1) the advantage
 * is against the exact expectation of the policy; (2) critics are kept low where nothing was
 * logged; (3) binary weights count an advantage of 0, since otherwise no row is left once the
 * policy is the best logged action.
 */
public record Crr(Config config) implements Algorithm {

  /** What a logged action's weight is, by its advantage {@code A}. */
  public enum Weighting {
    /** {@code min(exp(A / temperature), largest weight)}. */
    EXPONENTIAL,

    /** 1 where the advantage is not negative, else 0. */
    BINARY
  }

  /** A policy that takes its best action for certain has an advantage of 0, up to rounding. */
  private static final float ROUNDING = -1e-6f;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param temperature of exponential weights, in units of the objective's scale, above 0
   * @param maxWeight largest exponential weight, at least 1
   * @param conservatism weight of {@link ConservativeGap} in the critics' loss, at least 0
   * @param logitPenalty weight of the mean squared logit, at least 0
   */
  public record Config(
      double discount,
      Weighting weighting,
      double temperature,
      double maxWeight,
      double conservatism,
      double logitPenalty) {

    public static final Config DEFAULT = new Config(0, Weighting.EXPONENTIAL, 1, 20, 0.5, 1e-4);

    public Config {
      if (!(discount >= 0 && discount < 1 && temperature > 0 && maxWeight >= 1)) {
        throw new IllegalArgumentException(
            "discount %s, temperature %s, largest weight %s"
                .formatted(discount, temperature, maxWeight));
      }
      if (!(conservatism >= 0 && logitPenalty >= 0)) {
        throw new IllegalArgumentException("conservatism and penalty are at least 0");
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, weighting, temperature, maxWeight, conservatism, logitPenalty);
    }

    public Config withWeighting(Weighting value) {
      return new Config(discount, value, temperature, maxWeight, conservatism, logitPenalty);
    }

    public Config withTemperature(double value) {
      return new Config(discount, weighting, value, maxWeight, conservatism, logitPenalty);
    }

    public Config withConservatism(double value) {
      return new Config(discount, weighting, temperature, maxWeight, value, logitPenalty);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    Tensor loss = critics.regression(critics.target(step.slowActor()::policy));
    if (config.conservatism > 0) {
      loss = loss.add(critics.overestimation().mul((float) config.conservatism));
    }
    step.minimiseCritic(loss, critics.pace());
    Tensor advantage = critics.loggedAdvantage(step.actor().policy(Moment.NOW));
    WeightedImitation.minimise(step, weight(advantage), config.logitPenalty);
  }

  private Tensor weight(Tensor advantage) {
    return config.weighting == Weighting.BINARY
        ? advantage.graph().constant(ROUNDING).isLessThan(advantage).cast(ElementType.FLOAT)
        : WeightedImitation.exponential(
            advantage.mul((float) (1 / config.temperature)), config.maxWeight);
  }
}
