package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The stages that algorithms with closed-form policies share: imitation of the log, critics of the
 * logging policy, and the distillation of what is found into the served actor. Confined to one
 * thread.
 */
final class PolicyStages {

  /** Shares of a plan's steps. */
  static final double IMITATION = 0.3;

  static final double LOGGING_CRITICS = 0.3;
  static final double DISTILLATION = 0.4;

  /** Rows on which deviations are measured. */
  private static final int MEASURED = 8192;

  /** Below this deviation, in units of a signal's scale, advantages are noise. */
  private static final double SMALLEST_DEVIATION = 0.01;

  /** Largest weight of one row of a regression, before weights get mean 1. */
  private static final double LARGEST_WEIGHT = 20;

  /**
   * How fast slow critics follow at least. A stage has some hundred steps, in which values have to
   * come back from the end of an episode.
   */
  private static final double TARGET_RATE = 0.03;

  private final Engine engine;
  private final double discount;
  private final int members;
  private final TrainedPolicy imitation;
  private final Given given;

  private PolicyStages(
      Engine engine, double discount, int members, TrainedPolicy imitation, Given given) {
    this.engine = engine;
    this.discount = discount;
    this.members = members;
    this.imitation = imitation;
    this.given = given;
  }

  /** Imitates the log. */
  static PolicyStages of(Engine engine, double discount, int members) {
    TrainedPolicy imitation =
        engine.learn(BehaviourCloning.DEFAULT, Given.NONE, part(engine.plan(), IMITATION));
    float[] behaviour = ActorChances.of(engine, imitation);
    Given given = Given.NONE.withCandidates(PolicyCritics.BEHAVIOUR, behaviour);
    return new PolicyStages(
        engine,
        discount,
        members,
        imitation,
        PolicyCritics.withReturns(given, engine.data(), discount, engine.scale()));
  }

  /** A share of a plan's steps. */
  static TrainingPlan part(TrainingPlan plan, double share) {
    return new TrainingPlan(
        plan.seed(),
        Math.max(1, Math.round(plan.steps() * share)),
        plan.batchSize(),
        plan.learningRate(),
        plan.adam(),
        Math.max(plan.targetRate(), TARGET_RATE),
        plan.reportEvery(),
        plan.networks(),
        plan.exploration());
  }

  /** Logs of the logging policy's chances per candidate, and returns per row. */
  Given given() {
    return given;
  }

  /** Logs of the logging policy's chances per candidate. */
  float[] logBehaviour() {
    return Objects.requireNonNull(given.candidates().get(PolicyCritics.BEHAVIOUR));
  }

  /** The same, and an actor that starts as the imitation. */
  Given givenActor() {
    return given.withWeights(StepGraph.ACTOR, imitation.weights(StepGraph.ACTOR));
  }

  /** Critics all of whose heads are about the logging policy: where all others start. */
  TrainedPolicy loggingCritics(int heads) {
    PolicyCritics critics =
        new PolicyCritics(
            discount,
            heads,
            members,
            (step, moment, values, signal, head) -> PolicyCritics.behaviour(step, moment));
    return engine.learn(critics, given, part(engine.plan(), LOGGING_CRITICS));
  }

  /** Critics that start where others stopped. */
  TrainedPolicy learn(PolicyCritics critics, Given given, TrainedPolicy start, double share) {
    Given with = given;
    for (int member = 0; member < members; member++) {
      String name = StepGraph.criticName(member);
      with = with.withWeights(name, start.weights(name));
    }
    return engine.learn(critics, with, part(engine.plan(), share));
  }

  /** Per signal, in scaled units, what temperatures are multiples of. */
  double[] units(TemperatureUnit unit, TrainedPolicy loggingCritics) {
    double[] units = new double[engine.scale().length];
    if (unit == TemperatureUnit.OWN) {
      Arrays.setAll(units, signal -> 1.0 / engine.scale()[signal]);
      return units;
    }
    int heads = loggingCritics.networks().heads();
    PolicyCritics form =
        new PolicyCritics(discount, heads, members, (step, moment, values, signal, head) -> values);
    int[] rows = sample(MEASURED);
    CandidatePass.over(
        engine,
        loggingCritics,
        given,
        rows,
        step -> variance(step, form.ofHead(step, form.values(step, Moment.NOW), heads - 1)),
        (row, answers, from) -> {
          for (int signal = 0; signal < units.length; signal++) {
            units[signal] += answers[from + signal];
          }
        });
    Arrays.setAll(
        units, signal -> Math.max(SMALLEST_DEVIATION, Math.sqrt(units[signal] / rows.length)));
    return units;
  }

  /** Variance of {@code values [B, M, k]} over candidates under the logging policy. */
  private static Tensor variance(StepGraph step, Tensor values) {
    Tensor chances =
        PolicyCritics.behaviour(step, Moment.NOW).reshape(step.rows(), step.slots(), 1);
    Tensor centred = values.sub(values.mul(chances).sum(1));
    return centred.square().mul(chances).sum(1).reshape(step.rows(), values.shape().width());
  }

  /** At most so many of the rows that the plan's first batches hold, in ascending order. */
  int[] sample(int most) {
    TrainingPlan plan = engine.plan();
    LearnerData data = engine.data();
    long held = Math.min(data.rows(), plan.steps() * plan.batchSize());
    int[] rows = new int[(int) Math.min(most, held)];
    new BatchPlan(plan.seed(), data.rowId(), rows.length).fill(0, rows);
    Arrays.sort(rows);
    return rows;
  }

  /**
   * What the policy of each head but the last reaches from first states on; see {@link
   * PolicyCritics#reached}.
   */
  List<PolicyEstimate> estimates(
      PolicyCritics critics, TrainedPolicy trained, Given given, List<Promise> promises) {
    int[] first = FirstStates.firstRows(engine.data(), discount);
    int signals = engine.scale().length;
    int policies = critics.heads() - 1;
    float[] logged = FittedQ.returns(engine.data(), discount);
    double[][] returns = new double[signals][first.length];
    double[][][] values = new double[policies][signals][first.length];
    for (int i = 0; i < first.length; i++) {
      for (int signal = 0; signal < signals; signal++) {
        returns[signal][i] = logged[first[i] * signals + signal];
      }
    }
    int[] next = {0};
    CandidatePass.over(
        engine,
        trained,
        given,
        first,
        step -> {
          List<Tensor> reached = new ArrayList<>();
          for (int head = 0; head < policies; head++) {
            reached.add(critics.reached(step, head, promises));
          }
          return Tensor.concat(1, reached);
        },
        (row, answers, from) -> {
          int i = next[0]++;
          for (int head = 0; head < policies; head++) {
            for (int signal = 0; signal < signals; signal++) {
              double scaled = answers[from + head * signals + signal];
              values[head][signal][i] = scaled * engine.scale()[signal];
            }
          }
        });
    List<PolicyEstimate> estimates = new ArrayList<>();
    for (double[][] ofHead : values) {
      estimates.add(PolicyEstimate.ofValues(ofHead, returns));
    }
    return estimates;
  }

  /**
   * The served actor, taught a policy by the logs of its chances per candidate.
   *
   * @param promises how each stands under that policy
   */
  TrainedPolicy served(float[] target, Distillation distillation, List<PromiseOutcome> promises) {
    Given stage = givenActor().withCandidates(Distillation.TARGET, target);
    if (distillation.loss() == ActorLoss.REGRESSION) {
      stage = stage.withRows(Distillation.WEIGHT, weights(target));
    }
    TrainedPolicy actor = engine.learn(distillation, stage, part(engine.plan(), DISTILLATION));
    return new TrainedPolicy(
        actor.networks(),
        actor.actor(),
        actor.hasActor(),
        actor.critic(),
        actor.hasCritic(),
        actor.vectors(),
        actor.signalScale(),
        actor.history(),
        promises);
  }

  private float[] weights(float[] target) {
    LearnerData data = engine.data();
    float[] weights = new float[data.rows()];
    double sum = 0;
    for (int row = 0; row < weights.length; row++) {
      double chance = Math.exp(target[data.itemOffsets()[row] + data.action()[row]]);
      weights[row] = (float) Math.min(LARGEST_WEIGHT, chance / data.propensity()[row]);
      sum += weights[row];
    }
    for (int row = 0; row < weights.length; row++) {
      weights[row] *= (float) (weights.length / sum);
    }
    return weights;
  }
}
