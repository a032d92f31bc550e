package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.CumulativeValue;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.LargestWeights;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.OrderStatistics;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.support.ModelFit;
import io.bellwether.evaluation.support.ModelFitAccumulator;
import io.bellwether.evaluation.support.Support;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures a log against the limits: weights first, then distance, then what is left out, then the
 * reward model. Refuses nothing itself.
 */
final class Diagnosis {
  private static final double WARN_MODEL_BIAS = 3;
  private static final double WARN_SPREAD = 2;
  private static final double WARN_DEGRADED = 0.05;

  /**
   * Where the target shows what is never logged the divergence is infinite; reports hold numbers.
   */
  private static final double MAX_NATS = 1e6;

  /** Distances in standard errors that are next to none are cut here. */
  private static final double LARGEST = 1e6;

  private static final int CUMULATIVE_POINTS = 200;
  private static final int HEAVIEST = 20;

  private static final Set<String> SPREAD_OVER = Set.of("snips", "dr", "sndr", "dr-shrunk");

  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final Limits limits;
  private final Support support;

  Diagnosis(LoggedDecisions log, EvaluationPlan plan, Support support) {
    this.log = log;
    this.plan = plan;
    this.limits = plan.limits();
    this.support = support;
  }

  /** Everything that needs no value: complete also where every value is refused. */
  Diagnostics of(PolicyWeights weights) {
    List<WeightDiagnostics> ofTarget = byPosition(weights.ofDeciding());
    List<WeightDiagnostics> ofBaseline = weights.champion().map(this::byPosition).orElse(List.of());
    List<Check> checks = new ArrayList<>(weightChecks("target", ofTarget));
    checks.addAll(weightChecks("baseline", ofBaseline));
    checks.addAll(distanceChecks());
    checks.addAll(SupportChecks.of(support));
    checks.add(degraded());
    double effective =
        Stream.concat(ofTarget.stream(), ofBaseline.stream())
            .mapToDouble(WeightDiagnostics::effectiveSampleSize)
            .min()
            .orElse(0);
    DecisionColumns objective = log.underTarget(plan.objective().signal(), weights.ofDeciding());
    return new Diagnostics(
        ofTarget,
        ofBaseline,
        effective,
        checks,
        support,
        models(),
        cumulative(objective),
        new WeightsByDay(log, weights.ofDeciding()).all(),
        heaviest(objective));
  }

  private static List<CumulativePoint> cumulative(DecisionColumns objective) {
    List<CumulativePoint> points = new ArrayList<>();
    CumulativeValue.of(new Snips(), objective, CUMULATIVE_POINTS)
        .points()
        .forEach(
            at ->
                at.value()
                    .ifPresent(
                        value ->
                            points.add(
                                new CumulativePoint(
                                    at.decisions(), at.timeMicros(), value, at.meanWeight()))));
    return points;
  }

  private static List<HeavyDecision> heaviest(DecisionColumns objective) {
    return LargestWeights.of(objective, HEAVIEST).heavy().stream()
        .map(
            each ->
                new HeavyDecision(
                    each.decision(),
                    each.weight(),
                    each.share(),
                    each.logging(),
                    each.target(),
                    each.reward()))
        .toList();
  }

  /** What the estimates of the objective say about the reward model. */
  List<Check> ofModel(List<SignalEstimate> estimates) {
    List<SignalEstimate> ofObjective =
        estimates.stream()
            .filter(each -> each.policy().equals("target") && each.scope().equals(Scope.ALL))
            .filter(each -> each.signal().equals(plan.objective().signal()))
            .toList();
    double error = find(ofObjective, "dr").flatMap(dr -> box(dr.estimate().error())).orElse(0.0);
    List<Check> checks = new ArrayList<>();
    if (error > 0) {
      modelBias(ofObjective, error).ifPresent(checks::add);
      checks.add(spread(ofObjective, error));
    }
    return checks;
  }

  private List<WeightDiagnostics> byPosition(PrefixWeights weights) {
    return IntStream.range(0, log.positions())
        .mapToObj(position -> WeightDiagnostics.of(weights, position))
        .toList();
  }

  private List<Check> weightChecks(String policy, List<WeightDiagnostics> byPosition) {
    List<Check> checks = new ArrayList<>();
    for (int position = 0; position < byPosition.size(); position++) {
      WeightDiagnostics at = byPosition.get(position);
      String where = String.format(Locale.ROOT, " of %s at position %d", policy, position);
      checks.add(effectiveSampleSize(at, where));
      checks.add(
          Check.above(
              "|z| of the mean weight" + where,
              Math.abs(at.meanWeightZ()),
              limits.warnMeanWeightZ(),
              limits.maxMeanWeightZ()));
      checks.add(
          Check.above(
              "largest share of weight" + where,
              at.largestShare(),
              limits.warnLargestShare(),
              limits.maxLargestShare()));
      checks.add(
          Check.warnAbove(
              "share of the top 1 % of weights" + where,
              at.topPercentShare(),
              limits.warnTopPercentShare()));
    }
    return checks;
  }

  private Check effectiveSampleSize(WeightDiagnostics weights, String where) {
    double effective = weights.effectiveSampleSize();
    String name = "effective sample size" + where;
    if (effective < limits.minEffectiveSampleSize()) {
      return new Check(name, effective, limits.minEffectiveSampleSize(), Check.Status.REFUSE);
    }
    double enough = limits.warnEffectiveShare() * weights.decisions();
    return new Check(
        name, effective, enough, effective < enough ? Check.Status.WARN : Check.Status.OK);
  }

  private List<Check> distanceChecks() {
    List<Check> checks = new ArrayList<>();
    DoubleBuffer divergence = log.divergence();
    if (divergence.hasRemaining()) {
      checks.add(
          Check.blocksAbove(
              "mean divergence from the logging policy",
              mean(divergence),
              limits.maxMeanDivergence()));
      checks.add(
          Check.blocksAbove(
              "99th percentile of divergence from the logging policy",
              percentile99(divergence),
              limits.maxDivergence99()));
    }
    if (log.thin().hasRemaining()) {
      checks.add(
          Check.blocksAbove(
              "target probability on rarely logged items", mean(log.thin()), limits.maxThinMass()));
    }
    return checks;
  }

  private static double mean(DoubleBuffer column) {
    CompensatedSums sum = new CompensatedSums(1);
    for (int row = 0; row < column.limit(); row++) {
      sum.add(0, Math.min(MAX_NATS, column.get(row)));
    }
    return sum.get(0) / column.limit();
  }

  /** Next to what is not finite there is no value between two: then it is the largest. */
  private static double percentile99(DoubleBuffer column) {
    double nats = OrderStatistics.quantile(column, 0.99);
    return nats < MAX_NATS ? nats : MAX_NATS;
  }

  private Check degraded() {
    long all = log.decisions() + log.excluded().total();
    return Check.warnAbove(
        "share of decisions that a fallback answered",
        (double) log.excluded().fallbacks() / all,
        WARN_DEGRADED);
  }

  private List<ModelQuality> models() {
    List<ModelQuality> models = new ArrayList<>();
    for (String signal : log.signals()) {
      LoggedDecisions.Signal columns = log.signal(signal);
      if (columns.prediction().hasRemaining()) {
        ModelFitAccumulator sums = new ModelFitAccumulator();
        for (int row = 0; row < log.rows(); row++) {
          double prediction = columns.prediction().get(row);
          if (Validation.isAmount(prediction)) {
            sums.add(prediction, columns.reward().get(row));
          }
        }
        models.add(quality(signal, sums.result()));
      }
    }
    return models;
  }

  private static ModelQuality quality(String signal, ModelFit fit) {
    SortedMap<String, Double> figures = new TreeMap<>();
    figures.put("meanPredicted", fit.meanPrediction());
    figures.put("meanObserved", fit.meanReward());
    put(figures, "rSquared", fit.rSquared());
    put(figures, "calibrationSlope", fit.calibrationSlope());
    put(figures, "calibrationIntercept", fit.calibrationIntercept());
    put(figures, "logLoss", fit.logLoss());
    put(figures, "constantLogLoss", fit.constantLogLoss());
    figures.values().removeIf(figure -> !Double.isFinite(figure));
    return new ModelQuality(signal, fit.rows(), figures, fit.reliability());
  }

  private static void put(SortedMap<String, Double> figures, String name, OptionalDouble value) {
    value.ifPresent(figure -> figures.put(name, figure));
  }

  private static Optional<Check> modelBias(List<SignalEstimate> estimates, double error) {
    Optional<Double> direct = find(estimates, "dm").flatMap(dm -> box(dm.estimate().point()));
    Optional<Double> robust = find(estimates, "dr").flatMap(dr -> box(dr.estimate().point()));
    return direct.flatMap(
        dm ->
            robust.map(
                dr ->
                    Check.warnAbove(
                        "bias of the reward model in standard errors",
                        Math.min(LARGEST, Math.abs(dm - dr) / error),
                        WARN_MODEL_BIAS)));
  }

  private static Check spread(List<SignalEstimate> estimates, double error) {
    double[] values =
        estimates.stream()
            .filter(each -> SPREAD_OVER.contains(each.estimator()))
            .flatMapToDouble(each -> each.estimate().point().stream())
            .sorted()
            .toArray();
    return Check.warnAbove(
        "spread of estimators in standard errors",
        Math.min(LARGEST, (values[values.length - 1] - values[0]) / error),
        WARN_SPREAD);
  }

  private static Optional<SignalEstimate> find(List<SignalEstimate> estimates, String estimator) {
    return estimates.stream().filter(each -> each.estimator().equals(estimator)).findFirst();
  }

  private static Optional<Double> box(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }
}
