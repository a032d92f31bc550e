package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.report.Finding.Code;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.DoublePredicate;
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
  private static final long FEW_EVENTS = 10;
  private static final double MAX_DETERMINISTIC_SHARE = 0.01;
  private static final double MIN_MEAN_WEIGHT = 0.1;

  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final List<Finding> findings = new ArrayList<>();

  Validation(LoggedDecisions log, EvaluationPlan plan) {
    this.log = log;
    this.plan = plan;
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
    checkDistance("divergence", log.divergence());
    checkDistance("unsupported", log.unsupported());
    checkDistance("thin", log.thin());
    checkUnsupported();
    for (String signal : log.signals()) {
      checkRewards(signal, values(log.signal(signal).reward()));
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
      findings.add(
          new Finding(
              Code.TOO_FEW_ROWS,
              log.decisions() == 0 ? Severity.ERROR : Severity.WARN,
              "decision",
              log.decisions(),
              List.of()));
    }
  }

  private void checkExcluded(Code code, long count) {
    if (count > 0) {
      long all = log.decisions() + log.excluded().total();
      findings.add(
          new Finding(
              code,
              count > MANY_EXCLUDED * all ? Severity.WARN : Severity.INFO,
              "decision",
              count,
              List.of()));
    }
  }

  private void checkOrder() {
    Set<Integer> repeated = repeatedDecisions();
    boolean[] broken = new boolean[log.rows()];
    for (int number = 0; number < log.decisions(); number++) {
      int first = log.firstRow(number);
      broken[first] = !repeated.isEmpty() && repeated.contains(log.decision(first));
      for (int row = first; row < log.firstRow(number + 1); row++) {
        broken[row] |= log.position(row) != row - first;
      }
    }
    find(Code.ROWS_NOT_IN_ORDER, Severity.ERROR, "decision", row -> broken[row]);
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
    int[] deterministic =
        rows(row -> log.logging(row) >= 1 - ROUNDING && log.target(row) < 1 - ROUNDING);
    if (deterministic.length > MAX_DETERMINISTIC_SHARE * log.rows()) {
      add(Code.DETERMINISTIC_LOGGING, Severity.REFUSE, "logging", deterministic);
    }
  }

  private void checkDistance(String column, DoubleBuffer values) {
    if (values.hasRemaining()) {
      find(Code.DISTANCE_NOT_A_NUMBER, Severity.ERROR, column, row -> !(values.get(row) >= 0));
    }
  }

  private void checkUnsupported() {
    double[] mass = values(log.unsupported());
    double mean = mass.length == 0 ? 0 : Arrays.stream(mass).sum() / mass.length;
    if (mean > 0) {
      boolean refused = mean > plan.limits().maxUnsupportedMass();
      add(
          Code.UNSUPPORTED_MASS,
          refused ? Severity.REFUSE : Severity.WARN,
          "unsupported",
          rows(row -> mass[row] > 0));
    }
  }

  private void checkRewards(String signal, double[] rewards) {
    find(Code.REWARD_NOT_FINITE, Severity.ERROR, signal, row -> !Double.isFinite(rewards[row]));
    Range range = plan.ranges().get(signal);
    if (range != null) {
      find(
          Code.REWARD_OUT_OF_RANGE,
          Severity.WARN,
          signal,
          row -> Double.isFinite(rewards[row]) && !range.contains(rewards[row]));
    }
    if (rewards.length == 0) {
      return;
    }
    if (Arrays.stream(rewards).allMatch(value -> value == rewards[0])) {
      add(Code.ZERO_VARIANCE, Severity.WARN, signal, new int[0], rewards.length);
    }
    checkEvents(signal, rewards);
  }

  private void checkEvents(String signal, double[] rewards) {
    double[] flags = isFlag(rewards) ? rewards : perDecision(rewards);
    if (!isFlag(flags)) {
      return;
    }
    long events = count(flags, value -> value == 1);
    long rarer = Math.min(events, flags.length - events);
    if (rarer < FEW_EVENTS) {
      add(Code.FEW_EVENTS, Severity.WARN, signal, new int[0], rarer);
    }
  }

  private static boolean isFlag(double[] values) {
    return Arrays.stream(values).allMatch(value -> value == 0 || value == 1);
  }

  /**
   * Sums over slates, whole numbers where they are so but for rounding: a flag of a slate as a
   * whole is shared out among its positions.
   */
  private double[] perDecision(double[] rewards) {
    double[] sums = new double[log.decisions()];
    for (int number = 0; number < sums.length; number++) {
      for (int row = log.firstRow(number); row < log.firstRow(number + 1); row++) {
        sums[number] += rewards[row];
      }
      double whole = Math.rint(sums[number]);
      sums[number] = Math.abs(sums[number] - whole) <= ROUNDING ? whole : sums[number];
    }
    return sums;
  }

  private void checkModel(String signal, LoggedDecisions.Signal columns) {
    for (DoubleBuffer column :
        List.of(columns.prediction(), columns.direct(), columns.baselineDirect())) {
      if (column.hasRemaining()) {
        find(Code.Q_NOT_FINITE, Severity.WARN, signal, row -> !Double.isFinite(column.get(row)));
      }
    }
  }

  private static double[] values(DoubleBuffer column) {
    return IntStream.range(0, column.limit()).mapToDouble(column::get).toArray();
  }

  private static long count(double[] values, DoublePredicate condition) {
    return Arrays.stream(values).filter(condition).count();
  }

  private int[] rows(IntPredicate condition) {
    return IntStream.range(0, log.rows()).filter(condition).toArray();
  }

  private void find(Code code, Severity severity, String column, IntPredicate condition) {
    int[] rows = rows(condition);
    if (rows.length > 0) {
      add(code, severity, column, rows);
    }
  }

  private void add(Code code, Severity severity, String column, int[] rows) {
    add(code, severity, column, rows, rows.length);
  }

  private void add(Code code, Severity severity, String column, int[] rows, long count) {
    List<Integer> examples = Arrays.stream(rows).limit(MAX_EXAMPLES).boxed().toList();
    findings.add(new Finding(code, severity, column, count, examples));
  }
}
