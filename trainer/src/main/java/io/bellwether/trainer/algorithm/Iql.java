package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.Arrays;

/**
 * Implicit Q-learning with advantage-weighted extraction. In-sample: neither critics nor their
 * targets are asked about an action that was not logged.
 *
 * <p>Sources: Kostrikov, Nair and Levine, "Offline Reinforcement Learning with Implicit
 * Q-Learning", 2022; Peng and others, "Advantage-Weighted Regression", 2019. Differences: (1)
 * advantages in units of their deviation over the batch; (2) other signals than the objective have
 * values too, of the log itself (an expectile of one half).
 */
public record Iql(Config config) implements Algorithm {

  /*
   * Per row (s, a, r, s'), Q' slow copies, in units of the signal's scale:
   *
   *   L_V = |τ - 1{u < 0}| u²,   u = min Q'(s, a) - V(s)
   *   L_Q = ½ ( Q(s, a) - r - discount · continues · V(s') )²
   *   L_π = -w log π(a|s),       w = min( exp(b · u / deviation of u), w_max )
   */

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param expectile τ of the objective: above 0.5 it looks for the better of the logged actions
   * @param inverseTemperature b: how strongly better actions are preferred, at least 0
   * @param maxWeight w_max, at least 1
   * @param logitPenalty weight of the mean squared logit, at least 0
   */
  public record Config(
      double discount,
      double expectile,
      double inverseTemperature,
      double maxWeight,
      double logitPenalty) {

    public static final Config DEFAULT = new Config(0, 0.7, 3, 100, 1e-4);

    public Config {
      if (!(discount >= 0 && discount < 1 && expectile > 0 && expectile < 1)) {
        throw new IllegalArgumentException(
            "discount %s, expectile %s".formatted(discount, expectile));
      }
      if (!(inverseTemperature >= 0 && maxWeight >= 1 && logitPenalty >= 0)) {
        throw new IllegalArgumentException(
            "temperature and penalty are at least 0, the largest weight 1");
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, expectile, inverseTemperature, maxWeight, logitPenalty);
    }

    public Config withExpectile(double value) {
      return new Config(discount, value, inverseTemperature, maxWeight, logitPenalty);
    }

    public Config withInverseTemperature(double value) {
      return new Config(discount, expectile, value, maxWeight, logitPenalty);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, Agreement.SMALLEST);
    Tensor target = critics.backup(() -> step.critic().state(Moment.NEXT).stopGradient());
    Tensor values = step.critic().state(Moment.NOW);
    Tensor surprise = critics.slowLogged().stopGradient().sub(values);
    Tensor expectile = step.mean(surprise.square().mul(side(surprise)));
    step.gauge("critic.expectile", expectile);
    step.minimiseCritic(critics.regression(target).add(expectile));
    Tensor advantage = surprise.slice(1, 0, 1).stopGradient();
    Tensor exponent =
        advantage
            .mul((float) config.inverseTemperature)
            .div(WeightedImitation.deviation(advantage));
    Tensor weight = WeightedImitation.exponential(exponent, config.maxWeight);
    WeightedImitation.minimise(step, WeightedImitation.relative(step, weight), config.logitPenalty);
  }

  /** Weight of each surprise by its sign, {@code [B, S]}. */
  private Tensor side(Tensor surprise) {
    Graph graph = surprise.graph();
    float[] above = new float[(int) surprise.shape().width()];
    Arrays.fill(above, 0.5f);
    float[] below = above.clone();
    above[0] = (float) config.expectile;
    below[0] = (float) (1 - config.expectile);
    Shape perSignal = Shape.of(1, above.length);
    return surprise
        .isLessThan(graph.constant(0f))
        .select(graph.constant(below, perSignal), graph.constant(above, perSignal));
  }
}
