package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The constrained actor-critic by what returns are worth to the careful: signals whose bad end
 * matters have quantiles of the return in place of its mean, and advantages are of their {@link
 * Risk}.
 *
 * <p>At risk are all signals that a promise holds down; where there are none, the objective. Values
 * are learned at logged actions alone: nothing is asked of an action that was never logged.
 *
 * <p>Source: Ma and others, "DSAC: Distributional Soft Actor-Critic for Risk-Sensitive
 * Reinforcement Learning", 2020, for the actor by a risk of the critic's quantiles. Differences:
 * (1) the quantiles of the next state are those of the log, as its returns are; (2) the actor is
 * that of {@link ConstrainedActorCritic}; (3) the kink of the loss is smaller, since at 1 tails
 * move far towards the mean.
 */
public record RiskAverse(Config config, List<Promise> promises, MultiplierConfig multipliers)
    implements Algorithm {

  /*
   * Per row (s, a, r, s') and signal i, in units of the signal's scale; j runs over quantiles:
   *
   *   Z_ij(s, a), Z_ij(s)  ← r_i + discount · continues · Z'_ik(s') for all k     at risk: quantile loss
   *   Q_i(s, a), V_i(s)    ← r_i + discount · continues · V'_i(s')                all others: squared error
   *   W_i(s, a)            = risk of Z_i(s, a), or Q_i(s, a)
   *   baseline_i(s)        ← W_i(s, a)                                            squared error
   *   A_i                  = W_i(s, a) - baseline_i(s), combined and followed as in ConstrainedActorCritic
   *
   * The risk is taken at every step anew (static): easy to learn, and not consistent over time.
   */

  /** The critic whose state values are the baseline; that of the returns is the first. */
  private static final int BASELINE = 1;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param risk what uncertain returns are worth
   * @param quantiles per signal
   * @param kink of their loss, in units of the signal's scale
   * @param inverseTemperature how strongly better actions are preferred, at least 0
   * @param maxWeight largest weight of one row in the actor's loss
   * @param logitPenalty weight of the mean squared logit, at least 0
   */
  public record Config(
      double discount,
      Risk risk,
      int quantiles,
      double kink,
      double inverseTemperature,
      double maxWeight,
      double logitPenalty) {

    public static final Config DEFAULT =
        new Config(0, new Risk.WorstShare(0.25), 32, 0.1, 2, 100, 1e-4);

    public Config {
      if (!(discount >= 0 && discount < 1)) {
        throw new IllegalArgumentException("discount must be in [0, 1), not " + discount);
      }
      if (!(inverseTemperature >= 0 && maxWeight >= 1 && logitPenalty >= 0)) {
        throw new IllegalArgumentException(
            "temperature and penalty are at least 0, the largest weight 1");
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, risk, quantiles, kink, inverseTemperature, maxWeight, logitPenalty);
    }

    public Config withRisk(Risk value) {
      return new Config(
          discount, value, quantiles, kink, inverseTemperature, maxWeight, logitPenalty);
    }

    public Config withQuantiles(int count, double kinkOfLoss) {
      return new Config(
          discount, risk, count, kinkOfLoss, inverseTemperature, maxWeight, logitPenalty);
    }

    public Config withInverseTemperature(double value) {
      return new Config(discount, risk, quantiles, kink, value, maxWeight, logitPenalty);
    }
  }

  public RiskAverse {
    promises = List.copyOf(promises);
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public int heads() {
    return config.quantiles;
  }

  /** The signals at risk, with their bad ends. */
  SortedMap<Integer, Risk.BadEnd> atRisk() {
    SortedMap<Integer, Risk.BadEnd> signals = new TreeMap<>();
    for (Promise promise : promises) {
      if (promise.sense() == Promise.Sense.AT_MOST) {
        signals.put(promise.signal(), Risk.BadEnd.HIGH);
      }
    }
    if (signals.isEmpty()) {
      signals.put(0, Risk.BadEnd.LOW);
    }
    return signals;
  }

  @Override
  public void addLosses(StepGraph step) {
    Tensor returns = step.critic().logged();
    Tensor worth = perSignal(step, signal -> worth(step, returns, signal)).stopGradient();
    Tensor baseline =
        perSignal(step, signal -> heads(step.critic(BASELINE).state(Moment.NOW), signal).mean(-1));
    Tensor advantage = worth.sub(baseline);
    Tensor error = step.mean(advantage.square()).add(regression(step, returns));
    if (config.discount > 0) {
      error = error.add(regression(step, step.critic().state(Moment.NOW)));
    }
    step.minimiseCritic(error);
    Tensor exponent =
        ConstrainedActorCritic.combine(step, advantage.stopGradient())
            .mul((float) config.inverseTemperature);
    Tensor weight = WeightedImitation.exponential(exponent, config.maxWeight);
    WeightedImitation.minimise(step, WeightedImitation.relative(step, weight), config.logitPenalty);
  }

  /** {@code [B, signals]} of columns {@code [B, 1]}. */
  private static Tensor perSignal(StepGraph step, Function<Integer, Tensor> column) {
    List<Tensor> columns = new ArrayList<>();
    for (int signal = 0; signal < step.signals(); signal++) {
      columns.add(column.apply(signal));
    }
    return Tensor.concat(1, columns);
  }

  /** One signal's outputs, {@code [B, quantiles]}. */
  private Tensor heads(Tensor outputs, int signal) {
    long from = (long) signal * config.quantiles;
    return outputs.slice(1, from, from + config.quantiles);
  }

  private Tensor worth(StepGraph step, Tensor returns, int signal) {
    Map<Integer, Risk.BadEnd> atRisk = atRisk();
    Risk.BadEnd end = atRisk.get(signal);
    Tensor own = heads(returns, signal);
    if (end == null) {
      return own.mean(-1);
    }
    Tensor worth = config.risk.of(own, end);
    step.gauge("risk." + step.networks().schema().signals().get(signal), step.mean(worth));
    return worth;
  }

  /** Error of outputs {@code [B, signals * quantiles]} over all signals: a scalar. */
  private Tensor regression(StepGraph step, Tensor outputs) {
    Quantiles quantiles = new Quantiles(config.quantiles, config.kink);
    return step.mean(
        perSignal(
            step,
            signal -> {
              Tensor own = heads(outputs, signal);
              return atRisk().containsKey(signal)
                  ? quantiles.loss(own, outcomes(step, signal, next -> next))
                  : own.mean(-1).sub(outcomes(step, signal, next -> next.mean(-1))).square();
            }));
  }

  /** What came of a row: its reward, and what the log reaches from the next state on. */
  private Tensor outcomes(StepGraph step, int signal, Function<Tensor, Tensor> future) {
    Tensor reward = step.rewards().slice(1, signal, signal + 1L);
    if (config.discount == 0) {
      return reward;
    }
    Tensor next = future.apply(heads(step.slowCritic(0).state(Moment.NEXT), signal));
    return reward.add(next.mul(step.continues()).mul((float) config.discount)).stopGradient();
  }
}
