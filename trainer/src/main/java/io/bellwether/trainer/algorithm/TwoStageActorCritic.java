package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Two-stage constrained actor-critic: first, for every promised signal, the policy that is good for
 * it; then the objective, near all of these policies at once. Being near stands in for keeping the
 * promises, so whether they are kept is estimated, and decides how near.
 *
 * <p>Source: Cai and others, "Two-Stage Constrained Actor-Critic for Short Video Recommendation",
 * 2023. Differences: (1) exact sums over candidates in place of sampled policy gradients; (2) all
 * policies are closed forms of their critics while they learn, and only the one that is served
 * becomes a network; (3) several sizes share all critics, and the smallest that keeps the promises
 * is served; (4) a policy of stage one that is not surely better for its signal than the logging
 * policy is replaced by the latter.
 *
 * <pre>
 * one   π_i(a|s) ∝ β(a|s) exp(A_i(s, a) / (sharpness · u_i))              u_i: unit of signal i
 * two   π(a|s)   ∝ Π_i π_i(a|s)^(λ_i / Λ) exp(A_0(s, a) / (Λ · u_0))      all λ_i alike, Λ their sum
 * </pre>
 */
public record TwoStageActorCritic(Config config, List<Promise> promises) implements Algorithm {

  /**
   * What the learned policy depends on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param sharpness temperature of the policies of stage one, above 0
   * @param sizes Λ, from which the smallest that keeps the promises is chosen; in descending order
   * @param unit what temperatures are multiples of
   * @param members critics whose mean is believed, at least 1
   * @param loss how the served actor is taught
   * @param margin standard errors by which a promise has to be kept where a size is chosen
   */
  public record Config(
      double discount,
      double sharpness,
      List<Double> sizes,
      TemperatureUnit unit,
      int members,
      ActorLoss loss,
      double margin) {

    public static final Config DEFAULT =
        new Config(
            0,
            0.25,
            List.of(1.5, 0.7, 0.35, 0.17),
            TemperatureUnit.DEVIATION,
            1,
            ActorLoss.PROXIMITY,
            1.64);

    public Config {
      sizes = List.copyOf(sizes);
      if (!(discount >= 0 && discount < 1 && sharpness > 0 && margin >= 0) || members < 1) {
        throw new IllegalArgumentException(
            "discount %s, sharpness %s, margin %s, %d critics"
                .formatted(discount, sharpness, margin, members));
      }
      if (sizes.isEmpty() || !sizes.stream().allMatch(size -> size > 0)) {
        throw new IllegalArgumentException("sizes are above 0, found " + sizes);
      }
      for (int i = 1; i < sizes.size(); i++) {
        if (sizes.get(i) >= sizes.get(i - 1)) {
          throw new IllegalArgumentException("sizes fall from one to the next, found " + sizes);
        }
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, sharpness, sizes, unit, members, loss, margin);
    }

    public Config withSharpness(double value) {
      return new Config(discount, value, sizes, unit, members, loss, margin);
    }

    public Config withSizes(List<Double> values) {
      return new Config(discount, sharpness, values, unit, members, loss, margin);
    }

    /** Sizes down to this one, which is one of them. */
    public Config withSmallestSize(double value) {
      List<Double> larger = new ArrayList<>(sizes);
      larger.removeIf(size -> size <= value);
      larger.add(value);
      return withSizes(larger);
    }

    public Config withUnit(TemperatureUnit value) {
      return new Config(discount, sharpness, sizes, value, members, loss, margin);
    }

    public Config withMembers(int value) {
      return new Config(discount, sharpness, sizes, unit, value, loss, margin);
    }

    public Config withLoss(ActorLoss value) {
      return new Config(discount, sharpness, sizes, unit, members, value, margin);
    }
  }

  private static final double STAGE_ONE = 0.4;
  private static final double STAGE_TWO = 0.5;
  private static final String PRIOR = "prior";

  public TwoStageActorCritic {
    promises = promises.stream().sorted(Comparator.comparingInt(Promise::signal)).toList();
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
        + STAGE_ONE
        + STAGE_TWO
        + PolicyStages.DISTILLATION;
  }

  /** The losses of stage two; {@link #train} has all stages. */
  @Override
  public void addLosses(StepGraph step) {
    stageTwo(1, new TreeMap<>()).addLosses(step);
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    PolicyStages stages = PolicyStages.of(engine, config.discount, config.members);
    TrainedPolicy logging = stages.loggingCritics(outputsPerSignal());
    double[] units = stages.units(config.unit, logging);

    SignalPolicies one =
        new SignalPolicies(
            config.discount,
            outputsPerSignal(),
            config.members,
            SignalPolicies.followed(promises),
            config.sharpness,
            units);
    TrainedPolicy stageOne = stages.learn(one.critics(), stages.given(), logging, STAGE_ONE);
    boolean[] better = one.areBetter(engine, stages, stageOne);
    float[] prior = prior(engine, stages, one, stageOne, better);

    Given given = stages.given().withCandidates(PRIOR, prior);
    PolicyCritics two = stageTwo(units[0], notes(engine, better));
    TrainedPolicy stageTwo = stages.learn(two, given, logging, STAGE_TWO);
    List<PolicyEstimate> estimates = stages.estimates(two, stageTwo, given, promises);
    int chosen = smallestThatKeeps(estimates);
    float[] target =
        CandidatePass.everyCandidate(
            engine,
            stageTwo,
            given,
            step -> tilted(step, Moment.NOW, two.values(step, Moment.NOW), units[0], chosen));
    return stages.served(
        target,
        new Distillation(
            config.loss, config.loss == ActorLoss.PROXIMITY ? config.sizes.get(chosen) : 1),
        outcomes(estimates.get(chosen)));
  }

  /** One for each size, and one for the logging policy. */
  private int outputsPerSignal() {
    return config.sizes.size() + 1;
  }

  private SortedMap<String, Double> notes(Engine engine, boolean[] better) {
    SortedMap<String, Double> notes = new TreeMap<>();
    List<Integer> followed = followed();
    for (int i = 0; i < better.length; i++) {
      notes.put(
          "stageOne.better." + engine.schema().signals().get(followed.get(i)),
          better[i] ? 1.0 : 0.0);
    }
    return notes;
  }

  /** The signals of stage one; two promises may be about one. */
  private List<Integer> followed() {
    return List.copyOf(SignalPolicies.followed(promises).keySet());
  }

  /** Log of the geometric mean of the policies of stage one, per candidate. */
  private float[] prior(
      Engine engine,
      PolicyStages stages,
      SignalPolicies one,
      TrainedPolicy stageOne,
      boolean[] better) {
    if (better.length == 0) {
      return stages.logBehaviour();
    }
    List<Integer> followed = followed();
    return CandidatePass.everyCandidate(
        engine,
        stageOne,
        stages.given(),
        step -> {
          Tensor sum = step.graph().constant(0f);
          for (int i = 0; i < better.length; i++) {
            Tensor each =
                better[i]
                    ? one.logChances(step, Moment.NOW, followed.get(i))
                    : PolicyCritics.logBehaviour(step, Moment.NOW);
            sum = sum.add(each.mul(1f / better.length));
          }
          return PolicyCritics.normalised(step, Moment.NOW, sum);
        });
  }

  private PolicyCritics stageTwo(double unit, SortedMap<String, Double> notes) {
    return new PolicyCritics(
        config.discount,
        outputsPerSignal(),
        config.members,
        (step, moment, values, signal, head) ->
            step.built(
                "tilted." + head + "." + moment,
                () -> tilted(step, moment, values, unit, head).exp()),
        null,
        notes);
  }

  /** Logs of the chances of stage two, {@code [B, M]}; the objective is the first signal. */
  private Tensor tilted(StepGraph step, Moment moment, Tensor values, double unit, int head) {
    Tensor advantage = step.output(values, head).mul((float) (1 / (unit * config.sizes.get(head))));
    return PolicyCritics.normalised(step, moment, step.perCandidate(PRIOR, moment).add(advantage));
  }

  /** The largest size where none keeps all promises. */
  private int smallestThatKeeps(List<PolicyEstimate> estimates) {
    int chosen = 0;
    for (int size = 0; size < estimates.size(); size++) {
      PolicyEstimate estimate = estimates.get(size);
      if (promises.stream().allMatch(promise -> estimate.shortfall(promise, config.margin) <= 0)) {
        chosen = size;
      }
    }
    return chosen;
  }

  /** A promise that the largest size does not keep is told to be hopeless. */
  private List<PromiseOutcome> outcomes(PolicyEstimate estimate) {
    List<PromiseOutcome> outcomes = new ArrayList<>();
    for (Promise promise : promises) {
      outcomes.add(
          new PromiseOutcome(
              promise,
              estimate.bound(promise),
              estimate.mean()[promise.signal()],
              estimate.standardError(promise),
              0,
              estimate.shortfall(promise, 0) > 0));
    }
    return outcomes;
  }
}
