package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.algorithm.PolicyCritics.Prices;
import io.bellwether.trainer.algorithm.Promise.Sense;
import io.bellwether.trainer.algorithm.Promise.ShareOfLog;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A Lagrangian over separate critics: the logging policy is tilted by one advantage that is put
 * together from those of all signals, at prices that a PID controller sets by what the policy's own
 * critics expect from first states on.
 *
 * <p>Sources: Tessler, Mankowitz and Mannor, "Reward Constrained Policy Optimization", 2018, with
 * one critic per signal in place of one of the penalised reward; Stooke, Achiam and Abbeel,
 * "Responsive Safety in Reinforcement Learning by PID Lagrangian Methods", 2020. Differences: (1)
 * advantages in units of their deviations, in which prices of all signals are alike; (2) the policy
 * is the closed form of the best response that stays near the logging policy, and becomes a network
 * once, at the end; (3) the prices of the end are means over the last reports, since the last ones
 * of a controller swing.
 *
 * <pre>
 * A      = (A_0 / u_0 + Σ_i sign_i λ_i A_i / u_i) / (1 + Σ_i λ_i)      u_i: unit of signal i
 * π(a|s) ∝ β(a|s) exp(A(s, a) / temperature)
 * </pre>
 */
public record PidActorCritic(Config config, List<Promise> promises, MultiplierConfig multipliers)
    implements Algorithm {

  /**
   * What the learned policy depends on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param temperature how much of the advantage is given up to stay near the log, above 0
   * @param unit what advantages are divided by
   * @param members critics whose mean is believed, at least 1
   * @param averaged share of the reports whose prices are averaged for the policy that is served,
   *     in (0, 1]
   * @param reserve by what share more than was promised has to be estimated of what must not fall
   *     below a share of the log: critics that saw little of a rare signal overrate policies that
   *     leave the log; at least 0
   */
  public record Config(
      double discount,
      double temperature,
      TemperatureUnit unit,
      int members,
      double averaged,
      double reserve) {

    public static final Config DEFAULT =
        new Config(0, 0.1, TemperatureUnit.DEVIATION, 1, 0.5, 0.22);

    public Config {
      if (!(discount >= 0 && discount < 1 && temperature > 0)) {
        throw new IllegalArgumentException("discount " + discount + ", temperature " + temperature);
      }
      if (members < 1 || !(averaged > 0 && averaged <= 1 && reserve >= 0)) {
        throw new IllegalArgumentException(
            "%d critics, averaged over %s, reserve %s".formatted(members, averaged, reserve));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, temperature, unit, members, averaged, reserve);
    }

    public Config withTemperature(double value) {
      return new Config(discount, value, unit, members, averaged, reserve);
    }

    public Config withUnit(TemperatureUnit value) {
      return new Config(discount, temperature, value, members, averaged, reserve);
    }

    public Config withReserve(double value) {
      return new Config(discount, temperature, unit, members, averaged, value);
    }

    public Config withMembers(int value) {
      return new Config(discount, temperature, unit, value, averaged, reserve);
    }
  }

  /**
   * Errors are shares of the bound, and prices are in units of deviations: a price of 1 is much.
   */
  public static final MultiplierConfig MULTIPLIERS =
      new MultiplierConfig(0.5, 0.1, 0, 20, 10, 8192, 0);

  private static final int HEADS = 2;
  private static final double PRICED = 0.7;

  public PidActorCritic {
    promises = List.copyOf(promises);
  }

  @Override
  public boolean judgesReturns() {
    return true;
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public double plans() {
    return PolicyStages.IMITATION
        + PolicyStages.LOGGING_CRITICS
        + PRICED
        + PolicyStages.DISTILLATION;
  }

  /** The losses of the stage in which prices move; {@link #train} has all stages. */
  @Override
  public void addLosses(StepGraph step) {
    double[] units = new double[step.signals()];
    Arrays.fill(units, 1);
    critics(units).addLosses(step);
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    PolicyStages stages = PolicyStages.of(engine, config.discount, config.members);
    TrainedPolicy logging = stages.loggingCritics(HEADS);
    double[] units = stages.units(config.unit, logging);
    PolicyCritics critics = critics(units);
    TrainedPolicy priced = stages.learn(critics, stages.given(), logging, PRICED);
    float[] prices = averagePrices(engine.schema().signals(), priced.history());
    float[] target =
        CandidatePass.everyCandidate(
            engine,
            priced,
            stages.given(),
            step ->
                tilted(
                    step,
                    Moment.NOW,
                    critics.ofHead(step, critics.values(step, Moment.NOW), 0),
                    units,
                    step.graph().constant(prices, Shape.of(1, prices.length))));
    return stages.served(
        target, new Distillation(ActorLoss.MATCHING, 1), outcomes(priced.promises()));
  }

  /** The promises with what is held in reserve. */
  private List<Promise> raised() {
    return promises.stream().map(this::raised).toList();
  }

  private Promise raised(Promise promise) {
    return promise.sense() == Sense.AT_LEAST && promise.bound() instanceof ShareOfLog log
        ? new Promise(
            promise.signal(), Sense.AT_LEAST, new ShareOfLog(log.share() * (1 + config.reserve)))
        : promise;
  }

  /** How the promises themselves stand. */
  private List<PromiseOutcome> outcomes(List<PromiseOutcome> ofRaised) {
    List<PromiseOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < ofRaised.size(); i++) {
      PromiseOutcome found = ofRaised.get(i);
      double raise = raised(promises.get(i)).equals(promises.get(i)) ? 1 : 1 + config.reserve;
      outcomes.add(
          new PromiseOutcome(
              promises.get(i),
              found.bound() / raise,
              found.estimate(),
              found.standardError(),
              found.multiplier(),
              found.hopeless()));
    }
    return outcomes;
  }

  private PolicyCritics critics(double[] units) {
    Prices prices = promises.isEmpty() ? null : new Prices(raised(), multipliers);
    return new PolicyCritics(
        config.discount,
        HEADS,
        config.members,
        (step, moment, values, signal, head) ->
            step.built(
                "tilted." + moment,
                () -> {
                  Tensor own =
                      values
                          .reshape(step.rows() * step.slots(), step.signals(), HEADS)
                          .slice(2, head, head + 1L)
                          .reshape(step.rows(), step.slots(), step.signals());
                  return tilted(step, moment, own, units, step.prices()).exp();
                }),
        prices,
        Map.of());
  }

  /**
   * Logs of the policy's chances, {@code [B, M]}.
   *
   * @param values {@code [B, M, signals]}
   * @param prices {@code [1, signals]}
   */
  private Tensor tilted(
      StepGraph step, Moment moment, Tensor values, double[] units, Tensor prices) {
    float[] perUnit = new float[units.length];
    for (int signal = 0; signal < perUnit.length; signal++) {
      perUnit[signal] = (float) (1 / (units[signal] * config.temperature));
    }
    Tensor total = prices.max(prices.negate()).sum(-1).max(step.graph().constant(1f));
    Tensor weights =
        prices.mul(step.graph().constant(perUnit, Shape.of(1, perUnit.length))).div(total);
    Tensor advantage =
        values
            .mul(weights.reshape(1, 1, perUnit.length))
            .sum(-1)
            .reshape(step.rows(), step.slots());
    return PolicyCritics.normalised(
        step, moment, PolicyCritics.logBehaviour(step, moment).add(advantage));
  }

  private float[] averagePrices(List<String> signals, List<Progress> history) {
    float[] prices = new float[signals.size()];
    prices[0] = 1;
    for (int each = 0; each < promises.size(); each++) {
      Promise promise = promises.get(each);
      String gauge = PriceControl.gauge(promises, each, signals);
      double[] reported =
          history.stream()
              .filter(progress -> progress.gauges().containsKey(gauge))
              .mapToDouble(progress -> progress.gauges().get(gauge))
              .toArray();
      int first = (int) Math.floor(reported.length * (1 - config.averaged));
      double sum = 0;
      for (int i = first; i < reported.length; i++) {
        sum += reported[i];
      }
      prices[promise.signal()] +=
          (float) (promise.sense().sign() * sum / (reported.length - first));
    }
    return prices;
  }
}
