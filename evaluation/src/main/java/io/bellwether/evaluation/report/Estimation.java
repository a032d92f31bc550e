package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.ClopperPearson;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Values and contrasts of a valid log under a plan.
 *
 * <p>Contrasts are tested on paired differences: the influence of V_target − factor·V_baseline,
 * decision by decision. Where the effective sample size is below {@link
 * Limits#normalEffectiveSampleSize} or a signal has too few events for a normal limit, the bounds
 * of the two values are computed apart, each with half of the error probability, from {@link
 * AnytimeBounds} (the logging policy's own mean: Clopper and Pearson for flags, Student otherwise).
 */
final class Estimation {
  private static final double ROUNDING = 1e-12;

  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final List<Finding> findings;
  private final double effectiveSampleSize;
  private final PrefixWeights targetWeights;
  private final Optional<PrefixWeights> baselineWeights;
  private final UnitIndex units;

  Estimation(
      LoggedDecisions log,
      EvaluationPlan plan,
      List<Finding> findings,
      double effectiveSampleSize,
      PrefixWeights targetWeights,
      Optional<PrefixWeights> baselineWeights) {
    this.log = log;
    this.plan = plan;
    this.findings = findings;
    this.effectiveSampleSize = effectiveSampleSize;
    this.targetWeights = targetWeights;
    this.baselineWeights = baselineWeights;
    units = log.units();
  }

  double effectiveSampleSize() {
    return effectiveSampleSize;
  }

  UnitIndex units() {
    return units;
  }

  boolean suits(Estimator estimator) {
    return estimator.suits(log.positions());
  }

  /** The estimator that decides about a signal: the primary one where both policies have it. */
  Estimator deciding(String signal) {
    boolean modelled =
        hasModel(signal) && (!log.hasBaseline() || log.signal(signal).hasBaselineModel());
    return plan.primary().usesModel() && !modelled ? new Snips() : plan.primary();
  }

  /** Why an estimator has no value for a signal under the target, if it has none. */
  Optional<String> refusal(Estimator estimator, String signal) {
    if (estimator.usesModel() && !hasModel(signal)) {
      return Optional.of(
          found(Finding.Code.Q_NOT_FINITE, signal) ? "Q_NOT_FINITE" : "NO_REWARD_MODEL");
    }
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.REFUSE)
        .filter(finding -> forbids(finding.code(), estimator))
        .map(finding -> finding.code().name())
        .findFirst();
  }

  Optional<Influence> target(Estimator estimator, String signal) {
    if (refusal(estimator, signal).isPresent()) {
      return Optional.empty();
    }
    return Influence.of(estimator, targetColumns(signal));
  }

  /** Whether the baseline is a champion, whose value depends on the estimator. */
  boolean hasChampion() {
    return log.hasBaseline();
  }

  /** The champion under the same estimator, or the logging policy's mean where there is none. */
  Optional<Influence> baseline(Estimator estimator, String signal) {
    if (baselineWeights.isEmpty()) {
      return Influence.of(new LoggingMean(), targetColumns(signal));
    }
    if (estimator.usesModel() && !log.signal(signal).hasBaselineModel()) {
      return Optional.empty();
    }
    return Influence.of(estimator, baselineColumns(signal));
  }

  /** An interval for reading, at a level of 95 %. */
  Bounds readingInterval(Estimate estimate, Estimator estimator, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(reason(estimate));
    }
    if (isSparse(signal)) {
      return estimator.usesModel()
          ? new Bounds.Absent("FEW_EVENTS")
          : anytime(targetColumns(signal), signal, 0.025);
    }
    return new Bounds.Within(readingInterval(known));
  }

  /** The same for the baseline. */
  Bounds baselineInterval(Estimate estimate, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(reason(estimate));
    }
    if (isSparse(signal)) {
      return log.hasBaseline()
          ? anytime(baselineColumns(signal), signal, 0.025)
          : loggingBounds(signal, 0.025);
    }
    return new Bounds.Within(readingInterval(known));
  }

  static Interval readingInterval(Estimate.Estimated known) {
    return known.units() < 1000
        ? Interval.student(known.value(), known.standardError(), known.units() - 1.0, 0.95)
        : Interval.normal(known.value(), known.standardError(), 0.95);
  }

  /** A contrast with an interval that misses on each side with probability {@code alphaPerSide}. */
  ContrastResult measure(Contrast contrast, double alphaPerSide) {
    Estimator estimator = deciding(contrast.signal());
    Estimate estimate =
        difference(contrast, estimator)
            .map(influence -> influence.estimate(units))
            .map(known -> withoutRounding(known, contrast.signal()))
            .orElseGet(
                () ->
                    new Estimate.Refused(
                        refusal(estimator, contrast.signal()).orElse("NO_OVERLAP")));
    return new ContrastResult(
        contrast, estimator.name(), estimate, bounds(contrast, estimate, alphaPerSide));
  }

  /** Whether bounds rest on a normal limit; otherwise they are those that always hold. */
  boolean isNormal(String signal) {
    return effectiveSampleSize >= plan.limits().normalEffectiveSampleSize() && !isSparse(signal);
  }

  private Optional<Influence> difference(Contrast contrast, Estimator estimator) {
    return target(estimator, contrast.signal())
        .flatMap(
            target ->
                baseline(estimator, contrast.signal())
                    .map(
                        baseline ->
                            target.combine(
                                contrast.sign(),
                                baseline,
                                -contrast.sign() * contrast.factor(),
                                -contrast.sign() * contrast.offset())));
  }

  /** Two equal policies differ by nothing, not by the last bit of a sum. */
  private Estimate withoutRounding(Estimate estimate, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return estimate;
    }
    double scale = Arrays.stream(rewards(signal)).map(Math::abs).max().orElse(0) * ROUNDING;
    if (Math.abs(known.value()) > scale || known.standardError() > scale) {
      return known;
    }
    return new Estimate.Estimated(0, 0, known.errorKind(), known.decisions(), known.units());
  }

  private Bounds bounds(Contrast contrast, Estimate estimate, double alpha) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(reason(estimate));
    }
    if (!isNormal(contrast.signal())) {
      return separateBounds(contrast, alpha);
    }
    double margin = plan.looks().margin(known, alpha);
    return new Bounds.Within(
        new Interval(
            plan.looks().method(), 1 - 2 * alpha, known.value() - margin, known.value() + margin));
  }

  private Bounds separateBounds(Contrast contrast, double alpha) {
    String signal = contrast.signal();
    double share = contrast.isAgainstBaseline() ? alpha / 2 : alpha;
    Bounds ofTarget = anytime(targetColumns(signal), signal, share);
    if (!(ofTarget instanceof Bounds.Within target)) {
      return ofTarget;
    }
    if (!contrast.isAgainstBaseline()) {
      return new Bounds.Within(separate(contrast, target.interval(), 0, 0, alpha));
    }
    Bounds baseline =
        log.hasBaseline()
            ? anytime(baselineColumns(signal), signal, share)
            : loggingBounds(signal, share);
    if (!(baseline instanceof Bounds.Within within)) {
      return baseline;
    }
    return new Bounds.Within(
        separate(
            contrast,
            target.interval(),
            contrast.factor() * within.interval().lower(),
            contrast.factor() * within.interval().upper(),
            alpha));
  }

  private static Interval separate(
      Contrast contrast, Interval target, double baselineLow, double baselineHigh, double alpha) {
    double low = target.lower() - Math.max(baselineLow, baselineHigh) - contrast.offset();
    double high = target.upper() - Math.min(baselineLow, baselineHigh) - contrast.offset();
    return new Interval(
        Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
        1 - 2 * alpha,
        contrast.sign() > 0 ? low : -high,
        contrast.sign() > 0 ? high : -low);
  }

  private Bounds anytime(DecisionColumns columns, String signal, double alpha) {
    Range range = plan.ranges().get(signal);
    if (range == null) {
      return new Bounds.Absent("RANGE_NOT_DECLARED");
    }
    if (found(Finding.Code.REWARD_OUT_OF_RANGE, signal)) {
      return new Bounds.Absent("REWARD_OUT_OF_RANGE");
    }
    boolean sameLength = log.rows() == log.decisions() * log.positions();
    AnytimeBounds bounds = new AnytimeBounds(columns, range, sameLength);
    double lower = bounds.lower(alpha);
    double upper = bounds.upper(alpha);
    // Crossed bounds have a probability of at most 2·alpha; the wider reading is then the honest
    // one.
    return new Bounds.Within(
        new Interval(
            Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
            1 - 2 * alpha,
            Math.min(lower, upper),
            Math.max(lower, upper)));
  }

  /**
   * The logging policy's mean. Clopper and Pearson assume independent decisions: where units
   * repeat, the wider of their interval and the cluster-robust one.
   */
  private Bounds loggingBounds(String signal, double alpha) {
    Optional<Influence> mean = Influence.of(new LoggingMean(), targetColumns(signal));
    if (mean.isEmpty() || !(mean.get().estimate(units) instanceof Estimate.Estimated known)) {
      return new Bounds.Absent("N_LT_2");
    }
    Interval student =
        Interval.student(known.value(), known.standardError(), known.units() - 1.0, 1 - 2 * alpha);
    double[] rewards = rewards(signal);
    boolean flags =
        log.positions() == 1
            && Arrays.stream(rewards).allMatch(reward -> reward == 0 || reward == 1);
    if (!flags) {
      return isSparse(signal) ? new Bounds.Absent("FEW_EVENTS") : new Bounds.Within(student);
    }
    long successes = Math.round(Arrays.stream(rewards).sum());
    Interval exact = new ClopperPearson(successes, rewards.length).interval(1 - 2 * alpha);
    if (!units.repeats()) {
      return new Bounds.Within(exact);
    }
    return new Bounds.Within(
        new Interval(
            exact.method(),
            exact.level(),
            Math.min(exact.lower(), student.lower()),
            Math.max(exact.upper(), student.upper())));
  }

  private double[] rewards(String signal) {
    DoubleBuffer column = log.signal(signal).reward();
    return IntStream.range(0, column.limit()).mapToDouble(column::get).toArray();
  }

  private boolean hasModel(String signal) {
    return log.signal(signal).hasModel() && !found(Finding.Code.Q_NOT_FINITE, signal);
  }

  private boolean isSparse(String signal) {
    return found(Finding.Code.FEW_EVENTS, signal) || found(Finding.Code.ZERO_VARIANCE, signal);
  }

  private boolean found(Finding.Code code, String signal) {
    return codes(signal).contains(code);
  }

  private Set<Finding.Code> codes(String signal) {
    return findings.stream()
        .filter(finding -> finding.column().equals(signal))
        .map(Finding::code)
        .collect(Collectors.toSet());
  }

  /** The direct method has no weights; only a self-normalised value divides by the mean weight. */
  private static boolean forbids(Finding.Code code, Estimator estimator) {
    if (estimator.name().equals("dm")) {
      return false;
    }
    return code != Finding.Code.SELF_NORM_TINY || estimator.normalizes();
  }

  private DecisionColumns targetColumns(String signal) {
    return log.underTarget(signal, targetWeights);
  }

  private DecisionColumns baselineColumns(String signal) {
    return log.underBaseline(signal, baselineWeights.orElse(targetWeights));
  }

  static String reason(Estimate estimate) {
    if (estimate instanceof Estimate.Refused refused) {
      return refused.reason();
    }
    return estimate instanceof Estimate.ValueOnly only ? only.reason() : "NONE";
  }
}
