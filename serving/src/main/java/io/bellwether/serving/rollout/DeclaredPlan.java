package io.bellwether.serving.rollout;

import io.bellwether.evaluation.experiment.AnalysisPlan;
import io.bellwether.evaluation.experiment.Direction;
import io.bellwether.evaluation.experiment.Guardrail;
import io.bellwether.evaluation.experiment.HealthLimits;
import io.bellwether.evaluation.experiment.Margin;
import io.bellwether.evaluation.experiment.Measure;
import io.bellwether.evaluation.experiment.Metric;
import io.bellwether.evaluation.experiment.RolloutStep;
import io.bellwether.evaluation.experiment.Situation;
import io.bellwether.serving.experiment.Analysis;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Kind;
import io.bellwether.serving.experiment.MetricDeclaration;
import io.bellwether.serving.experiment.Status;
import io.bellwether.serving.experiment.Step;
import io.bellwether.serving.experiment.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A declaration in the words of the analysis. */
final class DeclaredPlan {

  /** What serves while versions are scored beside it; no variant. */
  private static final String SERVED = "served";

  private static final int EVERYBODY = 10_000;

  private DeclaredPlan() {}

  /**
   * What an experiment has to decide.
   *
   * @param mixtureDeviation of the mixture sequential test, in the first primary metric's unit
   */
  static AnalysisPlan analysis(Experiment experiment, double mixtureDeviation) {
    Analysis declared = experiment.analysis();
    return new AnalysisPlan(
        design(experiment.kind()),
        control(experiment),
        experiment.primary().stream().map(DeclaredPlan::guardrail).toList(),
        metrics(experiment.secondary()),
        experiment.guardrails().stream().map(DeclaredPlan::guardrail).toList(),
        health(experiment),
        method(declared.method()),
        declared.alpha(),
        declared.plannedUnits(),
        plannedDuration(experiment),
        plannedPhases(experiment),
        looks(declared),
        mixtureDeviation,
        experiment.blockLength(),
        List.of());
  }

  /**
   * Where the rollout stands; without a plan at its only step, which a person ends. Where a person
   * has gone to a share beside the plan, the step is of that share.
   */
  static Situation situation(ExperimentState state) {
    Experiment experiment = state.declaration();
    int share =
        state
            .phase()
            .map(phase -> EVERYBODY - phase.shares().getOrDefault(control(experiment), EVERYBODY))
            .orElse(0);
    if (experiment.plan().isEmpty()) {
      RolloutStep only =
          new RolloutStep(
              share, Duration.ZERO, 0, RolloutStep.OnPass.MANUAL, RolloutStep.OnFail.ROLLBACK);
      return new Situation(List.of(only), 0, state.paused());
    }
    List<RolloutStep> plan = new ArrayList<>();
    experiment.plan().forEach(step -> plan.add(step(step)));
    RolloutStep present = plan.get(state.step());
    boolean shown = state.status() != Status.SHADOW;
    plan.set(
        state.step(),
        new RolloutStep(
            shown ? Math.max(1, share) : 0,
            present.atLeast(),
            present.unitsPerVariant(),
            present.onPass(),
            present.onFail()));
    return new Situation(plan, state.step(), state.paused());
  }

  static List<Metric> metrics(List<MetricDeclaration> declared) {
    return declared.stream().map(DeclaredPlan::metric).toList();
  }

  /** The name of the variant that others are compared with. */
  static String control(Experiment experiment) {
    return experiment.kind() == Kind.SHADOW ? SERVED : experiment.control().name();
  }

  private static Metric metric(MetricDeclaration declared) {
    return new Metric(
        declared.name(),
        measure(declared),
        switch (declared.direction()) {
          case UP -> Direction.UP;
          case DOWN -> Direction.DOWN;
        });
  }

  private static Measure measure(MetricDeclaration declared) {
    String signal = declared.signal();
    boolean covariate = declared.covariate();
    return switch (declared.kind()) {
      case MEAN ->
          declared.winsorize().isPresent()
              ? new Measure.Winsorised(signal, declared.winsorize().getAsDouble())
              : new Measure.Mean(signal, covariate);
      case PER_DECISION -> new Measure.PerDecision(signal, covariate);
      case CONVERSION -> new Measure.Conversion(signal, covariate);
      case RATIO -> new Measure.Ratio(signal, declared.denominator().orElseThrow(), covariate);
      case QUANTILE -> new Measure.Quantile(signal, declared.quantile().orElseThrow());
    };
  }

  private static Guardrail guardrail(MetricDeclaration declared) {
    return Guardrail.within(
        metric(declared),
        declared.margin().map(DeclaredPlan::margin).orElse(new Margin.Absolute(0)));
  }

  private static Margin margin(MetricDeclaration.Margin declared) {
    return switch (declared.kind()) {
      case RELATIVE -> new Margin.Relative(declared.value());
      case ABSOLUTE -> new Margin.Absolute(declared.value());
      case BOUND -> new Margin.Level(declared.value());
    };
  }

  private static HealthLimits health(Experiment experiment) {
    var declared = experiment.health();
    long micros = Math.max(1, declared.decisionP99().toNanos() / 1_000);
    HealthLimits.Shadow shadow = HealthLimits.Shadow.DEFAULT;
    return new HealthLimits(
        declared.degradedShare(),
        micros,
        Math.max(1, declared.exposures()),
        new HealthLimits.Shadow(
            shadow.errorShare(), micros, shadow.distance(), shadow.agreement()));
  }

  private static AnalysisPlan.Design design(Kind kind) {
    return switch (kind) {
      case AB, APPRENTICE, HOLDOUT -> AnalysisPlan.Design.PARALLEL;
      case BANDIT -> AnalysisPlan.Design.BANDIT;
      case INTERLEAVING -> AnalysisPlan.Design.INTERLEAVING;
      case SWITCHBACK -> AnalysisPlan.Design.SWITCHBACK;
      case SHADOW -> AnalysisPlan.Design.SHADOW;
    };
  }

  /** Posterior chances decide nothing; such an experiment is concluded by its sequence. */
  private static AnalysisPlan.Method method(Analysis.Method declared) {
    return switch (declared) {
      case SEQUENTIAL, BAYES -> AnalysisPlan.Method.ASYMPTOTIC_SEQUENCE;
      case MIXTURE_SPRT -> AnalysisPlan.Method.MIXTURE_SEQUENTIAL;
      case FIXED -> AnalysisPlan.Method.FIXED_HORIZON;
      case GROUP_SEQUENTIAL -> AnalysisPlan.Method.GROUP_SEQUENTIAL;
    };
  }

  private static List<Double> looks(Analysis declared) {
    return IntStream.rangeClosed(1, declared.looks())
        .mapToObj(look -> look / (double) declared.looks())
        .toList();
  }

  private static Duration plannedDuration(Experiment experiment) {
    return experiment
        .startAt()
        .flatMap(from -> experiment.endAt().map(to -> Duration.between(from, to)))
        .orElse(Duration.ofDays(36_500));
  }

  /** The number of the last step with a control and a treatment: phases count from the first. */
  private static int plannedPhases(Experiment experiment) {
    List<Integer> comparing = new ArrayList<>(List.of(1));
    for (int step = 0; step < experiment.plan().size(); step++) {
      int share = experiment.plan().get(step).share();
      if (share > 0 && share < EVERYBODY) {
        comparing.add(step + 1);
      }
    }
    return comparing.get(comparing.size() - 1);
  }

  private static RolloutStep step(Step declared) {
    return new RolloutStep(
        declared.share(),
        declared.atLeast(),
        declared.unitsPerVariant(),
        switch (declared.onPass()) {
          case ADVANCE -> RolloutStep.OnPass.ADVANCE;
          case MANUAL -> RolloutStep.OnPass.MANUAL;
        },
        switch (declared.onFail()) {
          case HOLD -> RolloutStep.OnFail.HOLD;
          case ROLLBACK -> RolloutStep.OnFail.ROLLBACK;
        });
  }

  /** The variants that a rollout may make everybody's. */
  static List<String> treatments(Experiment experiment) {
    return experiment.variants().stream()
        .map(Variant::name)
        .filter(name -> !name.equals(control(experiment)))
        .toList();
  }
}
