package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.report.Finding.Code;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks of a log before and after its weights are known. Changes nothing and repairs nothing. */
final class Validation {
  private static final int MAX_EXAMPLES = 5;
  private static final double ROUNDING = 1e-9;
  private static final double PROBABILITY_ROUNDING = 1e-6;
  private static final double TINY_PROPENSITY = 1e-6;
  private static final long FEW_DECISIONS = 30;
  private static final double MANY_EXCLUDED = 0.05;
  private static final double MAX_DETERMINISTIC_SHARE = 0.01;

  /** Below it self-normalised values rest on too little. */
  static final double MIN_MEAN_WEIGHT = 0.1;

  /** Squares of products of two such numbers are still numbers. */
  private static final double LARGEST_AMOUNT = 1e50;

  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final Map<String, RewardSummary> rewards;
  private final List<Finding> findings = new ArrayList<>();

  Validation(LoggedDecisions log, EvaluationPlan plan, Map<String, RewardSummary> rewards) {
    this.log = log;
    this.plan = plan;
    this.rewards = rewards;
  }

  /** Everything that can be said of the columns as they are. */
  List<Finding> ofColumns() {
    checkSize();
    checkExcluded(Code.DUPLICATE_DECISION, log.excluded().duplicates());
    checkExcluded(Code.IMMATURE_ROWS, log.excluded().immature());
    checkExcluded(Code.FALLBACK_ROWS, log.excluded().fallbacks());
    checkOrder();
    checkPropensities();
    checkTarget("target", row -> log.target(row));
    if (log.hasBaseline()) {
      checkTarget("baseline", row -> log.baseline(row));
    }
    checkExploration();
    checkOtherWeights();
    checkPrefixWeights();
    checkDistance("divergence", log.divergence());
    checkDistance("unsupported", log.unsupported());
    checkDistance("thin", log.thin());
    checkUnsupported();
    for (String signal : log.signals()) {
      checkRewards(signal, log.signal(signal).reward());
      checkModel(signal, log.signal(signal));
    }
    return List.copyOf(findings);
  }

  /** What the weights of a policy ({@code target} or {@code baseline}) add. */
  static List<Finding> ofWeights(String policy, WeightDiagnostics weights) {
    if (!(weights.meanWeight() > 0)) {
      return List.of(
          new Finding(Code.NO_OVERLAP, Severity.REFUSE, policy, weights.decisions(), List.of()));
    }
    if (weights.meanWeight() < MIN_MEAN_WEIGHT) {
      return List.of(
          new Finding(
              Code.SELF_NORM_TINY, Severity.REFUSE, policy, weights.decisions(), List.of()));
    }
    return List.of();
  }

  private void checkSize() {
    if (log.decisions() < FEW_DECISIONS) {
      Severity severity = log.decisions() == 0 ? Severity.ERROR : Severity.WARN;
      add(Code.TOO_FEW_ROWS, severity, "decision", new Rows(log.decisions(), List.of()));
    }
  }

  private void checkExcluded(Code code, long count) {
    if (count > 0) {
      long all = log.decisions() + log.excluded().total();
      Severity severity = count > MANY_EXCLUDED * all ? Severity.WARN : Severity.INFO;
      add(code, severity, "decision", new Rows(count, List.of()));
    }
  }

  private void checkOrder() {
    Set<Integer> repeated = isAscending() ? Set.of() : repeatedDecisions();
    int[] firstRow = new int[1];
    find(
        Code.ROWS_NOT_IN_ORDER,
        Severity.ERROR,
        "decision",
        row -> {
          if (row == 0 || log.decision(row) != log.decision(row - 1)) {
            firstRow[0] = row;
          }
          return log.position(row) != row - firstRow[0]
              || (row == firstRow[0]
                  && !repeated.isEmpty()
                  && repeated.contains(log.decision(row)));
        });
  }

  /** Then no decision stands in two places, and nothing needs to be remembered to see it. */
  private boolean isAscending() {
    for (int number = 1; number < log.decisions(); number++) {
      if (log.decision(log.firstRow(number)) <= log.decision(log.firstRow(number - 1))) {
        return false;
      }
    }
    return true;
  }

  /** Decisions whose rows stand in several places. */
  private Set<Integer> repeatedDecisions() {
    int[] ids =
        IntStream.range(0, log.decisions())
            .map(number -> log.decision(log.firstRow(number)))
            .sorted()
            .toArray();
    return IntStream.range(1, ids.length)
        .filter(at -> ids[at] == ids[at - 1])
        .mapToObj(at -> ids[at])
        .collect(Collectors.toSet());
  }

  private void checkPropensities() {
    String column = "logging";
    find(
        Code.PROPENSITY_NOT_FINITE,
        Severity.ERROR,
        column,
        row -> !Double.isFinite(log.logging(row)));
    find(Code.PROPENSITY_NON_POSITIVE, Severity.ERROR, column, row -> log.logging(row) <= 0);
    find(
        Code.PROPENSITY_ABOVE_ONE,
        Severity.ERROR,
        column,
        row -> log.logging(row) > 1 + ROUNDING && Double.isFinite(log.logging(row)));
    find(
        Code.PROPENSITY_TINY,
        Severity.WARN,
        column,
        row -> log.logging(row) > 0 && log.logging(row) <= TINY_PROPENSITY);
  }

  private interface RowValue {
    double of(int row);
  }

  private void checkTarget(String column, RowValue probability) {
    find(
        Code.TARGET_NOT_DISTRIBUTION,
        Severity.ERROR,
        column,
        row -> {
          double value = probability.of(row);
          return !(value >= 0 && value <= 1 + PROBABILITY_ROUNDING);
        });
  }

  private void checkExploration() {
    Rows deterministic =
        rows(row -> log.logging(row) >= 1 - ROUNDING && log.target(row) < 1 - ROUNDING);
    if (deterministic.count > MAX_DETERMINISTIC_SHARE * log.rows()) {
      add(Code.DETERMINISTIC_LOGGING, Severity.REFUSE, "logging", deterministic);
    }
  }

  /**
   * Weights whose squares no double can hold; where probabilities are wrong, that is said already.
   */
  private void checkPrefixWeights() {
    if (findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR)) {
      checkPrefixWeights("target", log.targetWeights());
      if (log.hasBaseline()) {
        checkPrefixWeights("baseline", log.baselineWeights());
      }
    }
  }

  private void checkPrefixWeights(String column, PrefixWeights weights) {
    checkDecisions(
        column,
        number -> {
          for (int k = 0; k < log.firstRow(number + 1) - log.firstRow(number); k++) {
            if (!isWeight(weights.at(number, k))) {
              return true;
            }
          }
          return false;
        });
  }

  /** Weights that come with the log; a pseudo-inverse weight may be negative. */
  private void checkOtherWeights() {
    if (log.hasClusterWeights()) {
      checkWeight("clusterWeight", log::clusterWeight);
    }
    if (log.hasSlotWeights()) {
      checkWeight("slotWeight", log::slotWeight);
    }
    if (log.hasBalancedWeights()) {
      checkPrefixWeights("balancedWeight", log.targetWeights(Weighting.BALANCED));
    }
    if (log.hasSlateWeights()) {
      checkDecisions("slateWeight", number -> !isAmount(log.slateWeight(number)));
    }
  }

  private void checkWeight(String column, RowValue weight) {
    find(Code.NEGATIVE_WEIGHT, Severity.ERROR, column, row -> !isWeight(weight.of(row)));
  }

  private void checkDecisions(String column, IntPredicate broken) {
    Rows decisions = count("decision", log.decisions(), broken);
    if (decisions.count > 0) {
      add(Code.NEGATIVE_WEIGHT, Severity.ERROR, column, decisions);
    }
  }

  private static boolean isWeight(double value) {
    return value >= 0 && isAmount(value);
  }

  /** A number that can be multiplied and squared. */
  static boolean isAmount(double value) {
    return Math.abs(value) <= LARGEST_AMOUNT;
  }

  private void checkDistance(String column, DoubleBuffer values) {
    if (values.hasRemaining()) {
      find(Code.DISTANCE_NOT_A_NUMBER, Severity.ERROR, column, row -> !(values.get(row) >= 0));
    }
  }

  private void checkUnsupported() {
    DoubleBuffer mass = log.unsupported();
    CompensatedSums sum = new CompensatedSums(1);
    for (int row = 0; row < mass.limit(); row++) {
      sum.add(0, mass.get(row));
    }
    if (sum.get(0) > 0) {
      boolean refused = sum.get(0) > plan.limits().maxUnsupportedMass() * mass.limit();
      find(
          Code.UNSUPPORTED_MASS,
          refused ? Severity.REFUSE : Severity.WARN,
          "unsupported",
          row -> mass.get(row) > 0);
    }
  }

  private void checkRewards(String signal, DoubleBuffer reward) {
    find(Code.REWARD_NOT_FINITE, Severity.ERROR, signal, row -> !isAmount(reward.get(row)));
    Range range = plan.ranges().get(signal);
    if (range != null) {
      find(
          Code.REWARD_OUT_OF_RANGE,
          Severity.WARN,
          signal,
          row -> isAmount(reward.get(row)) && !range.contains(reward.get(row)));
    }
    RewardSummary summary = rewards.get(signal);
    if (summary == null || summary.rows() == 0) {
      return;
    }
    if (summary.allEqual()) {
      add(Code.ZERO_VARIANCE, Severity.WARN, signal, new Rows(summary.rows(), List.of()));
    }
    if (summary.hasFewEvents()) {
      add(Code.FEW_EVENTS, Severity.WARN, signal, new Rows(summary.rarer(), List.of()));
    }
  }

  private void checkModel(String signal, LoggedDecisions.Signal columns) {
    for (DoubleBuffer column :
        Arrays.asList(columns.prediction(), columns.direct(), columns.baselineDirect())) {
      if (column.hasRemaining()) {
        find(Code.Q_NOT_FINITE, Severity.WARN, signal, row -> !isAmount(column.get(row)));
      }
    }
    boolean predicts = columns.prediction().hasRemaining();
    boolean expects = columns.direct().hasRemaining() || columns.baselineDirect().hasRemaining();
    if (predicts != expects) {
      add(Code.Q_SHAPE, Severity.WARN, signal, new Rows(log.rows(), List.of()));
    }
  }

  /** How many rows show something, and the first of them. */
  private record Rows(long count, List<String> examples) {}

  private Rows rows(IntPredicate condition) {
    return count("row", log.rows(), condition);
  }

  private static Rows count(String what, int end, IntPredicate condition) {
    long count = 0;
    List<String> examples = new ArrayList<>();
    for (int at = 0; at < end; at++) {
      if (condition.test(at)) {
        count++;
        if (examples.size() < MAX_EXAMPLES) {
          examples.add(what + " " + at);
        }
      }
    }
    return new Rows(count, examples);
  }

  private void find(Code code, Severity severity, String column, IntPredicate condition) {
    Rows rows = rows(condition);
    if (rows.count > 0) {
      add(code, severity, column, rows);
    }
  }

  private void add(Code code, Severity severity, String column, Rows rows) {
    findings.add(new Finding(code, severity, column, rows.count, rows.examples));
  }
}
