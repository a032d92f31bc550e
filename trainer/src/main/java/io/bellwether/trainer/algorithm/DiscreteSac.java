package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;

/**
 * Soft actor-critic over candidate sets: every expectation is an exact sum, and the temperature
 * holds the entropy at a share of what each row's number of candidates allows.
 *
 * <p>Sources: Christodoulou, "Soft Actor-Critic for Discrete Action Settings", 2019; Zhou and
 * others, "Revisiting Discrete Soft Actor-Critic", 2022, for the mean of the critics, the clipped
 * error and the entropy penalty. Differences: (1) the temperature follows its gradient by itself,
 * without an optimiser; (2) the entropy that is wanted differs from row to row; (3) all signals
 * have values, entropy belongs to the objective's alone.
 */
public record DiscreteSac(Config config) implements Algorithm {

  /*
   * Per row (s, a, r, s'), α the temperature, Q' slow copies, in units of the objective's scale:
   *
   *   y       = r + discount · continues · Σ_b π(b|s') [ agreement Q'(s', b) - α log π(b|s') ]
   *   L_Q     = ½ max( (Q - y)², (Q' + clip(Q - Q', ±clip) - y)² )
   *   L_π     = Σ_b π(b|s) [ α log π(b|s) - agreement Q(s, b) ] + penalty · (H_slow - H)²
   *   log α  += rate · mean( share · log |C(s)| - H )
   */

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param temperature what entropy is worth
   * @param agreement of the two critics
   * @param clip how far a critic may leave its slow copy before its error stops shrinking; 0 where
   *     errors are plain
   * @param entropyPenalty weight of the squared change of entropy against the slow copy of the
   *     actor, at least 0
   */
  public record Config(
      double discount,
      Temperature temperature,
      Agreement agreement,
      double clip,
      double entropyPenalty) {

    public static final Config DEFAULT =
        new Config(0, Temperature.AUTOMATIC, Agreement.MEAN, 0.5, 0);

    public Config {
      if (!(discount >= 0 && discount < 1 && clip >= 0 && entropyPenalty >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, clip %s, entropy penalty %s".formatted(discount, clip, entropyPenalty));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, temperature, agreement, clip, entropyPenalty);
    }

    public Config withTemperature(Temperature value) {
      return new Config(discount, value, agreement, clip, entropyPenalty);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, config.agreement);
    SoftPolicy policy = new SoftPolicy(step, config.temperature);
    Tensor target = critics.backup(() -> policy.nextValue(critics.slow(Moment.NEXT)));
    Tensor error =
        config.clip == 0
            ? critics.regression(target)
            : critics.clippedRegression(target, config.clip);
    step.minimiseCritic(error, critics.pace());
    policy.improve(step.output(critics.all(Moment.NOW), 0), entropyChange(step));
  }

  private Tensor entropyChange(StepGraph step) {
    if (config.entropyPenalty == 0) {
      return step.graph().constant(0f);
    }
    Tensor before = SoftPolicy.entropy(step.slowActor(), Moment.NOW).stopGradient();
    Tensor change = SoftPolicy.entropy(step.actor(), Moment.NOW).sub(before);
    return step.mean(change.square()).mul((float) config.entropyPenalty);
  }
}
