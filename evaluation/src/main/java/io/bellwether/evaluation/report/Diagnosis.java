package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Quantiles;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures a log against the limits: weights first, then distance, then the reward model. */
final class Diagnosis {
  private static final double WARN_MODEL_BIAS = 3;
  private static final double WARN_SPREAD = 2;

  /**
   * Where the target shows what is never logged the divergence is infinite; reports hold numbers.
   */
  private static final double MAX_NATS = 1e6;

  private static final Set<String> SPREAD_OVER = Set.of("snips", "dr", "sndr", "dr-shrunk");

  private final LoggedDecisions log;
  private final Limits limits;

  Diagnosis(LoggedDecisions log, Limits limits) {
    this.log = log;
    this.limits = limits;
  }

  Diagnostics ofWeights(PrefixWeights target, Optional<PrefixWeights> baseline) {
    List<WeightDiagnostics> ofTarget = byPosition(target);
    List<WeightDiagnostics> ofBaseline = baseline.map(this::byPosition).orElse(List.of());
    List<Check> checks = new ArrayList<>(weightChecks("target", ofTarget));
    checks.addAll(weightChecks("baseline", ofBaseline));
    checks.addAll(distanceChecks());
    double effective =
        Stream.concat(ofTarget.stream(), ofBaseline.stream())
            .mapToDouble(WeightDiagnostics::effectiveSampleSize)
            .min()
            .orElse(0);
    return new Diagnostics(
        ofTarget, ofBaseline, effective, checks, List.of(), List.of(), List.of(), List.of());
  }

  /** Adds what the estimates of the objective say about the reward model. */
  Diagnostics withModel(Diagnostics weights, List<SignalEstimate> estimates, String objective) {
    List<Check> checks = new ArrayList<>(weights.checks());
    List<SignalEstimate> ofObjective =
        estimates.stream()
            .filter(each -> each.policy().equals("target") && each.signal().equals(objective))
            .toList();
    double error = find(ofObjective, "dr").flatMap(dr -> box(dr.estimate().error())).orElse(0.0);
    if (error > 0) {
      modelBias(ofObjective, error).ifPresent(checks::add);
      checks.add(spread(ofObjective, error));
    }
    return new Diagnostics(
        weights.targetWeights(),
        weights.baselineWeights(),
        weights.effectiveSampleSize(),
        checks,
        weights.models(),
        weights.cumulative(),
        weights.daily(),
        weights.largestWeights());
  }

  private List<WeightDiagnostics> byPosition(PrefixWeights weights) {
    return IntStream.range(0, log.positions())
        .mapToObj(position -> WeightDiagnostics.of(weights.atPosition(position)))
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
    double[] divergence =
        stream(log.divergence()).map(nats -> Math.min(nats, MAX_NATS)).sorted().toArray();
    if (divergence.length > 0) {
      checks.add(
          Check.blocksAbove(
              "mean divergence from the logging policy",
              Arrays.stream(divergence).average().orElse(0),
              limits.maxMeanDivergence()));
      checks.add(
          Check.blocksAbove(
              "99th percentile of divergence from the logging policy",
              Quantiles.ofSorted(divergence, 0.99),
              limits.maxDivergence99()));
    }
    if (log.thin().hasRemaining()) {
      checks.add(
          Check.blocksAbove(
              "target probability on rarely logged items",
              stream(log.thin()).average().orElse(0),
              limits.maxThinMass()));
    }
    return checks;
  }

  private static DoubleStream stream(DoubleBuffer column) {
    return IntStream.range(0, column.limit()).mapToDouble(column::get);
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
                        Math.abs(dm - dr) / error,
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
        (values[values.length - 1] - values[0]) / error,
        WARN_SPREAD);
  }

  private static Optional<SignalEstimate> find(List<SignalEstimate> estimates, String estimator) {
    return estimates.stream().filter(each -> each.estimator().equals(estimator)).findFirst();
  }

  private static Optional<Double> box(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }
}
