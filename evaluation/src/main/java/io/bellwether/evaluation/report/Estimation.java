package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Normal;
import io.bellwether.evaluation.interval.Simultaneous;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.EffectiveSampleSize;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a valid log can say under a plan: which estimator decides, what is refused, and the columns
 * to read. Columns are made once, so that passes see what they share. Confined to one thread.
 */
final class Estimation {
  private static final double ROUNDING = 1e-12;

  /** Level of intervals that are there to be read. */
  static final double READING_LEVEL = 0.95;

  private static final String TINY = Finding.Code.SELF_NORM_TINY.name();

  private static final long FEW_UNITS = 1_000;

  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final List<Finding> findings;
  private final Map<String, RewardSummary> rewards;
  private final Diagnostics diagnostics;
  private final double effectiveSampleSize;
  private final PolicyWeights weights;
  private final UnitIndex units;
  private final Map<String, DecisionColumns> columns = new HashMap<>();
  private final Map<String, Double> smallestMeans = new HashMap<>();
  private final Map<Boolean, Double> levels = new HashMap<>();
  private final Map<Question, Optional<Influence>> influences = new HashMap<>();
  private final Map<Weights, Double> sizes = new HashMap<>();
  private final SafeBounds safe;
  private @Nullable WeightDiagnostics plainWeights;

  /** Those of an estimator, which does not see rewards. */
  private record Weights(Estimator estimator, Weighting weighting) {}

  /** An estimator with the columns that it reads; columns are made once. */
  private record Question(Estimator estimator, DecisionColumns columns) {}

  /**
   * @param diagnostics of the weights that decide
   */
  Estimation(
      LoggedDecisions log,
      EvaluationPlan plan,
      List<Finding> findings,
      Map<String, RewardSummary> rewards,
      Diagnostics diagnostics,
      PolicyWeights weights,
      UnitIndex units) {
    this.log = log;
    this.plan = plan;
    this.findings = findings;
    this.rewards = rewards;
    this.diagnostics = diagnostics;
    effectiveSampleSize = diagnostics.effectiveSampleSize();
    this.weights = weights;
    this.units = units;
    safe = new SafeBounds(this, log);
  }

  LoggedDecisions log() {
    return log;
  }

  EvaluationPlan plan() {
    return plan;
  }

  UnitIndex units() {
    return units;
  }

  /** Of the weights that decide, at the weakest position, the champion's included. */
  double effectiveSampleSize() {
    return effectiveSampleSize;
  }

  /** Measures the weights of estimators, which are the same for every signal: one pass a kind. */
  void weigh(List<Shown> all) {
    for (Weighting weighting : Weighting.values()) {
      List<Estimator> unknown =
          all.stream()
              .filter(shown -> shown.weighting() == weighting)
              .map(Shown::estimator)
              .distinct()
              .filter(estimator -> !sizes.containsKey(new Weights(estimator, weighting)))
              .toList();
      if (!unknown.isEmpty()) {
        double[] found = EffectiveSampleSize.of(unknown, target(log.signals().get(0), weighting));
        for (int at = 0; at < found.length; at++) {
          sizes.put(new Weights(unknown.get(at), weighting), found[at]);
        }
      }
    }
  }

  /** Of an estimator's own weights under the target. */
  double effectiveSampleSize(Shown shown) {
    Weights weights = new Weights(shown.estimator(), shown.weighting());
    if (!sizes.containsKey(weights)) {
      weigh(List.of(shown));
    }
    return Objects.requireNonNull(sizes.get(weights));
  }

  /** Of the target's weights that decide, by position. */
  double[] effectiveSampleSizes() {
    return diagnostics.targetWeights().stream()
        .mapToDouble(WeightDiagnostics::effectiveSampleSize)
        .toArray();
  }

  /** The target's weights at the last position, by the propensities of whoever decided. */
  WeightDiagnostics plainWeights() {
    if (plainWeights == null) {
      plainWeights =
          weights.deciding() == Weighting.PREFIX
              ? diagnostics.targetWeights().get(log.positions() - 1)
              : WeightDiagnostics.of(weights.target(), log.positions() - 1);
    }
    return plainWeights;
  }

  /** Of the champion's weights, at the weakest position. */
  double championEffectiveSampleSize() {
    return diagnostics.baselineWeights().stream()
        .mapToDouble(WeightDiagnostics::effectiveSampleSize)
        .min()
        .orElse(0);
  }

  PolicyWeights weights() {
    return weights;
  }

  SafeBounds safe() {
    return safe;
  }

  RewardSummary rewards(String signal) {
    RewardSummary summary = rewards.get(signal);
    if (summary == null) {
      throw new IllegalArgumentException("no summary of '%s'".formatted(signal));
    }
    return summary;
  }

  /** The estimator that decides about a signal: the primary one where both policies have it. */
  Shown deciding(String signal) {
    boolean modelled =
        hasModel(signal) && (!log.hasBaseline() || log.signal(signal).hasBaselineModel());
    Estimator estimator = plan.primary().usesModel() && !modelled ? new Snips() : plan.primary();
    return Shown.of(estimator, weights.deciding());
  }

  /** Why an estimator has no value for a signal under the target, if it has none. */
  Optional<String> refusal(Shown shown, String signal) {
    if (shown.estimator().usesModel() && !hasModel(signal)) {
      return Optional.of(whyNoModel(signal));
    }
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.REFUSE)
        .filter(finding -> forbids(finding.code(), shown))
        .map(finding -> finding.code().name())
        .findFirst()
        .or(() -> hasTinyNormalizer(shown) ? Optional.of(TINY) : Optional.empty());
  }

  /** Whether it divides by a mean of weights below 0.1 that are not those that decide. */
  private boolean hasTinyNormalizer(Shown shown) {
    return shown.estimator().normalizes()
        && !(shown.weighting() == weights.deciding()
            && Roster.readsPrefixWeights(shown.estimator().name()))
        && smallestMeans.computeIfAbsent(shown.name(), name -> smallestMean(shown))
            < Validation.MIN_MEAN_WEIGHT;
  }

  /** Of its own weights, at the position where it is smallest; the same for every signal. */
  private double smallestMean(Shown shown) {
    DecisionColumns read = target(log.signals().get(0), shown.weighting());
    CompensatedSums sums =
        read.reduce(
            () -> new CompensatedSums(read.positions()),
            (part, decision, row) -> {
              for (int position = 0; position < row.positions(); position++) {
                part.add(position, shown.estimator().weight(row, position));
              }
            },
            (left, right) -> {
              left.merge(right);
              return left;
            });
    return IntStream.range(0, sums.size())
        .mapToDouble(position -> sums.get(position) / log.decisions())
        .min()
        .orElse(0);
  }

  private String whyNoModel(String signal) {
    if (found(Finding.Code.Q_NOT_FINITE, signal)) {
      return "Q_NOT_FINITE";
    }
    return found(Finding.Code.Q_SHAPE, signal) ? "Q_SHAPE" : "NO_REWARD_MODEL";
  }

  /** The direct method has no weights; only a self-normalised value divides by the mean weight. */
  private static boolean forbids(Finding.Code code, Shown shown) {
    if (!shown.isWeighted()) {
      return false;
    }
    return code != Finding.Code.SELF_NORM_TINY || shown.estimator().normalizes();
  }

  /** Whether the baseline is a champion, whose value depends on the estimator. */
  boolean hasChampion() {
    return log.hasBaseline();
  }

  /** Whether the champion has a value under an estimator. */
  boolean suitsChampion(Shown shown, String signal) {
    return hasChampion()
        && refusal(shown, signal).isEmpty()
        && shown.weighting() == Weighting.PREFIX
        && shown.estimator().readable(champion(signal))
        && (!shown.estimator().usesModel()
            || (log.signal(signal).hasBaselineModel()
                && !found(Finding.Code.Q_NOT_FINITE, signal)));
  }

  DecisionColumns target(String signal, Weighting weighting) {
    return columns.computeIfAbsent(
        weighting + " " + signal, key -> log.underTarget(signal, weights.of(weighting)));
  }

  DecisionColumns champion(String signal) {
    return columns.computeIfAbsent(
        "CHAMPION " + signal,
        key -> log.underBaseline(signal, weights.champion().orElse(weights.target())));
  }

  Optional<Influence> target(Shown shown, String signal) {
    if (refusal(shown, signal).isPresent()) {
      return Optional.empty();
    }
    return influence(shown.estimator(), target(signal, shown.weighting()));
  }

  /** The champion under the same estimator, or the logging policy's mean where there is none. */
  Optional<Influence> baseline(Shown shown, String signal) {
    if (!hasChampion()) {
      return logging(signal);
    }
    if (!suitsChampion(shown, signal)) {
      return Optional.empty();
    }
    return influence(shown.estimator(), champion(signal));
  }

  Optional<Influence> logging(String signal) {
    return influence(new LoggingMean(), target(signal, Weighting.PREFIX));
  }

  private Optional<Influence> influence(Estimator estimator, DecisionColumns read) {
    return influences(List.of(estimator), read).get(0);
  }

  /** Estimates of columns of this log, computed once: in one pass those that are still unknown. */
  List<Optional<Influence>> influences(List<Estimator> estimators, DecisionColumns read) {
    List<Estimator> unknown =
        estimators.stream()
            .distinct()
            .filter(estimator -> !influences.containsKey(new Question(estimator, read)))
            .toList();
    if (!unknown.isEmpty()) {
      List<Optional<Influence>> found = Influence.ofAll(unknown, read);
      for (int at = 0; at < found.size(); at++) {
        influences.put(new Question(unknown.get(at), read), found.get(at));
      }
    }
    return estimators.stream()
        .map(estimator -> Objects.requireNonNull(influences.get(new Question(estimator, read))))
        .toList();
  }

  /** An interval for reading, at a level of 95 %. */
  Bounds readingInterval(Estimate estimate, Shown shown, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(reason(estimate));
    }
    if (isSparse(signal)) {
      return shown.estimator().usesModel()
          ? new Bounds.Absent(sparseness(signal))
          : safe.ofTarget(signal, (1 - READING_LEVEL) / 2);
    }
    return new Bounds.Within(readingInterval(known));
  }

  /** The same for the baseline. */
  Bounds baselineInterval(Estimate estimate, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return new Bounds.Absent(reason(estimate));
    }
    return isSparse(signal)
        ? safe.ofBaseline(signal, (1 - READING_LEVEL) / 2)
        : new Bounds.Within(readingInterval(known));
  }

  static Interval readingInterval(Estimate.Estimated known) {
    return intervalOf(known, READING_LEVEL);
  }

  /** Student's t where units are few, which the normal distribution is the limit of. */
  static Interval intervalOf(Estimate.Estimated known, double level) {
    return known.units() < FEW_UNITS
        ? Interval.student(known.value(), known.standardError(), known.units() - 1.0, level)
        : Interval.normal(known.value(), known.standardError(), level);
  }

  /** An interval for reading of a value that has a normal limit, or why there is none. */
  static Bounds plainInterval(Estimate estimate) {
    return estimate instanceof Estimate.Estimated known
        ? new Bounds.Within(readingInterval(known))
        : new Bounds.Absent(reason(estimate));
  }

  /** The same of a value that rests on these rewards alone. */
  static Bounds plainInterval(Estimate estimate, RewardSummary rewards) {
    return estimate instanceof Estimate.Estimated
        ? rewards
            .sparseness()
            .<Bounds>map(code -> new Bounds.Absent(code.name()))
            .orElseGet(() -> plainInterval(estimate))
        : plainInterval(estimate);
  }

  /**
   * An interval of a difference to the champion or the logging policy that holds together with
   * those of all other signals under the same estimator.
   */
  Bounds simultaneous(Estimate difference, Shown shown, String signal, boolean toChampion) {
    return difference instanceof Estimate.Estimated known
        ? new Bounds.Within(
            intervalOf(
                known,
                shown.name().equals(deciding(signal).name())
                    ? decidingLevel(toChampion)
                    : separateLevel()))
        : new Bounds.Absent(reason(difference));
  }

  private double separateLevel() {
    int signals = log.signals().size();
    return plan.simultaneous() == Simultaneous.BONFERRONI
        ? Interval.simultaneousLevel(1 - plan.alpha(), signals)
        : Math.pow(1 - plan.alpha(), 1.0 / signals);
  }

  /** The largest |t| is looked for under the estimators that decide; others take Šidák's level. */
  private double decidingLevel(boolean toChampion) {
    if (plan.simultaneous() != Simultaneous.MAX_T || units.count() < 2) {
      return separateLevel();
    }
    return levels.computeIfAbsent(toChampion, this::levelOfLargest);
  }

  private double levelOfLargest(boolean toChampion) {
    List<Influence> differences = new ArrayList<>();
    for (String signal : log.signals()) {
      Shown deciding = deciding(signal);
      Optional<Influence> other = toChampion ? baseline(deciding, signal) : logging(signal);
      target(deciding, signal)
          .flatMap(target -> other.map(each -> target.combine(1, each, -1, 0)))
          .ifPresent(differences::add);
    }
    if (differences.size() < log.signals().size()) {
      return separateLevel();
    }
    double critical =
        Simultaneous.MAX_T.critical(
            1 - plan.alpha(), Influence.covariances(differences, units), plan.seed());
    return 1 - 2 * Normal.cumulative(-critical);
  }

  /** Whether bounds rest on a normal limit; otherwise they are those that always hold. */
  boolean isNormal(String signal) {
    return effectiveSampleSize >= plan.limits().normalEffectiveSampleSize() && !isSparse(signal);
  }

  /** Two equal policies differ by nothing, not by the last bit of a sum. */
  Estimate withoutRounding(Estimate estimate, String signal) {
    if (!(estimate instanceof Estimate.Estimated known)) {
      return estimate;
    }
    double scale = rewards(signal).largestMagnitude() * ROUNDING;
    if (Math.abs(known.value()) > scale || known.standardError() > scale) {
      return known;
    }
    return new Estimate.Estimated(0, 0, known.errorKind(), known.decisions(), known.units());
  }

  boolean hasModel(String signal) {
    return log.signal(signal).hasModel() && !found(Finding.Code.Q_NOT_FINITE, signal);
  }

  /** Whether a signal has too few events, or too little variety, for a normal limit. */
  boolean isSparse(String signal) {
    return found(Finding.Code.FEW_EVENTS, signal) || found(Finding.Code.ZERO_VARIANCE, signal);
  }

  String sparseness(String signal) {
    return found(Finding.Code.FEW_EVENTS, signal) ? "FEW_EVENTS" : "ZERO_VARIANCE";
  }

  boolean found(Finding.Code code, String signal) {
    return codes(signal).contains(code);
  }

  private Set<Finding.Code> codes(String signal) {
    return findings.stream()
        .filter(finding -> finding.column().equals(signal))
        .map(Finding::code)
        .collect(Collectors.toSet());
  }

  static String reason(Estimate estimate) {
    if (estimate instanceof Estimate.Refused refused) {
      return refused.reason();
    }
    return estimate instanceof Estimate.ValueOnly only ? only.reason() : "NONE";
  }
}
