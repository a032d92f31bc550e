package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.algorithm.PolicyCritics.Prices;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.ParameterLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A mixture of frozen policies, drawn anew for every decision: the logging policy, and for the
 * objective and every promised signal the policy that is good for it. Few numbers are learned, and
 * nothing is chosen that no member would choose, which makes it the safest first step away from the
 * log; it can still be better than each of its members.
 *
 * <p>Source: Zaki and others, "Improper Reinforcement Learning with Gradient-based Policy
 * Optimization", 2021, with a critic of the mixture, prices for promises, and gradients over the
 * states of the log.
 *
 * <pre>
 * π(a|s) = Σ_j w_j K_j(a|s),  w = softmax(θ)      L = -E_s Σ_j w_j Σ_a K_j(a|s) A(s, a) + spread · KL(w ‖ uniform)
 * A      = (A_0 / u_0 + Σ_i sign_i λ_i A_i / u_i) / (1 + Σ_i λ_i)
 * </pre>
 */
public record PolicyMixture(Config config, List<Promise> promises, MultiplierConfig multipliers)
    implements Algorithm {

  /**
   * What the learned policy depends on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param sharpness temperature of the members, above 0
   * @param unit what temperatures and advantages are multiples of
   * @param spread how much even weights are worth, at least 0
   */
  public record Config(double discount, double sharpness, TemperatureUnit unit, double spread) {
    public static final Config DEFAULT = new Config(0, 0.25, TemperatureUnit.DEVIATION, 0.01);

    public Config {
      if (!(discount >= 0 && discount < 1 && sharpness > 0 && spread >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, sharpness %s, spread %s".formatted(discount, sharpness, spread));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, sharpness, unit, spread);
    }
  }

  private static final int HEADS = 2;
  private static final double MEMBERS = 0.5;
  private static final double WEIGHTS = 0.5;

  public PolicyMixture {
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
        + MEMBERS
        + WEIGHTS
        + PolicyStages.DISTILLATION;
  }

  /** The losses of the stage in which weights move; {@link #train} has all stages. */
  @Override
  public void addLosses(StepGraph step) {
    double[] units = new double[step.signals()];
    Arrays.fill(units, 1);
    weights(promises.size() + 2, units).addLosses(step);
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    PolicyStages stages = PolicyStages.of(engine, config.discount, 1);
    TrainedPolicy logging = stages.loggingCritics(HEADS);
    double[] units = stages.units(config.unit, logging);
    SortedMap<Integer, Integer> followed = SignalPolicies.followed(promises);
    followed.put(0, 1);
    SignalPolicies members =
        new SignalPolicies(config.discount, HEADS, 1, followed, config.sharpness, units);
    TrainedPolicy ofSignals = stages.learn(members.critics(), stages.given(), logging, MEMBERS);
    List<float[]> logChances = new ArrayList<>();
    logChances.add(stages.logBehaviour());
    for (int signal : followed.keySet()) {
      logChances.add(
          CandidatePass.everyCandidate(
              engine,
              ofSignals,
              stages.given(),
              step -> members.logChances(step, Moment.NOW, signal)));
    }
    return mixed(engine, stages, logging, units, logChances);
  }

  /** Mixes members that are given by the logs of their chances per candidate. */
  TrainedPolicy mixed(
      Engine engine,
      PolicyStages stages,
      TrainedPolicy logging,
      double[] units,
      List<float[]> logChances) {
    Given given = stages.given();
    for (int member = 0; member < logChances.size(); member++) {
      given = given.withCandidates(MixtureWeights.member(member), logChances.get(member));
    }
    MixtureWeights weights = weights(logChances.size(), units);
    TrainedPolicy mixture =
        engine.learn(
            weights,
            given.withWeights(StepGraph.CRITIC, logging.weights(StepGraph.CRITIC)),
            PolicyStages.part(engine.plan(), WEIGHTS));
    float[] target =
        CandidatePass.everyCandidate(
            engine, mixture, given, step -> weights.chances(step, Moment.NOW).log());
    return stages.served(target, new Distillation(ActorLoss.MATCHING, 1), mixture.promises());
  }

  private MixtureWeights weights(int members, double[] units) {
    PolicyCritics critics =
        new PolicyCritics(
            config.discount,
            HEADS,
            1,
            (step, moment, values, signal, head) -> MixtureWeights.chances(step, moment, members),
            promises.isEmpty() ? null : new Prices(promises, multipliers),
            Map.of());
    return new MixtureWeights(critics, members, units, config.spread);
  }

  /** The stage in which the weights are learned. */
  @SuppressWarnings("ArrayRecordComponent")
  private record MixtureWeights(PolicyCritics critics, int members, double[] units, double spread)
      implements Algorithm {
    private static final String WEIGHTS = "mixture";

    /** Weights have few steps, and nothing that they could learn by heart. */
    private static final double FASTER = 3;

    /** Below this chance a candidate is one that no member chooses. */
    private static final float SMALLEST_CHANCE = 1e-12f;

    static String member(int member) {
      return "member." + member;
    }

    private static Tensor logWeights(StepGraph step, int members) {
      return step.built(
          "mixture.log",
          () ->
              step.vector(
                      WEIGHTS,
                      ParameterLayout.single(WEIGHTS, members),
                      returns -> new float[members])
                  .get(WEIGHTS)
                  .reshape(1, members)
                  .logSoftmax());
    }

    private static Tensor chances(StepGraph step, Moment moment, int members) {
      return step.built(
          "mixture." + moment,
          () -> {
            Tensor weights = logWeights(step, members).exp().stopGradient();
            Tensor sum = step.graph().constant(0f);
            for (int member = 0; member < members; member++) {
              sum = sum.add(of(step, moment, member).mul(weights.slice(1, member, member + 1L)));
            }
            return sum.max(step.graph().constant(SMALLEST_CHANCE));
          });
    }

    private static Tensor of(StepGraph step, Moment moment, int member) {
      return step.built(
          member(member) + ".chances." + moment,
          () ->
              PolicyCritics.normalised(step, moment, step.perCandidate(member(member), moment))
                  .exp());
    }

    Tensor chances(StepGraph step, Moment moment) {
      return chances(step, moment, members);
    }

    @Override
    public double discount() {
      return critics.discount();
    }

    @Override
    public int heads() {
      return critics.heads();
    }

    @Override
    public List<Promise> promises() {
      return critics.promises();
    }

    @Override
    public MultiplierConfig multipliers() {
      return critics.multipliers();
    }

    @Override
    public @Nullable Tensor judgedValues(StepGraph step) {
      return critics.judgedValues(step);
    }

    @Override
    public void addLosses(StepGraph step) {
      critics.addLosses(step);
      Tensor logWeights = logWeights(step, members);
      Tensor gains = gains(step);
      Tensor distance = logWeights.exp().mul(logWeights).sum(-1).add((float) Math.log(members));
      Tensor gain = logWeights.exp().mul(gains).sum(-1);
      for (int member = 0; member < members; member++) {
        step.gauge(
            "mixture.weight." + member,
            logWeights.slice(1, member, member + 1L).exp().reshape(Shape.of()));
      }
      step.minimise(
          List.of(WEIGHTS),
          distance.mul((float) spread).sub(gain).reshape(Shape.of()),
          Pace.THROUGHOUT.times(FASTER));
    }

    /** What the members are worth beside the mixture, at prices, {@code [1, members]}. */
    private Tensor gains(StepGraph step) {
      Tensor prices = step.prices();
      float[] perUnit = new float[units.length];
      for (int signal = 0; signal < perUnit.length; signal++) {
        perUnit[signal] = (float) (1 / units[signal]);
      }
      Tensor total = prices.max(prices.negate()).sum(-1).max(step.graph().constant(1f));
      Tensor weights =
          prices.mul(step.graph().constant(perUnit, Shape.of(1, perUnit.length))).div(total);
      Tensor values =
          critics
              .ofHead(step, critics.values(step, Moment.NOW), 0)
              .mul(weights.reshape(1, 1, perUnit.length))
              .sum(-1)
              .reshape(step.rows(), step.slots());
      Tensor mean = chances(step, Moment.NOW).mul(values).sum(-1);
      List<Tensor> gains = new ArrayList<>();
      for (int member = 0; member < members; member++) {
        Tensor own = of(step, Moment.NOW, member).mul(values).sum(-1);
        gains.add(step.mean(own.sub(mean)).reshape(1, 1));
      }
      return Tensor.concat(1, gains).stopGradient();
    }
  }
}
