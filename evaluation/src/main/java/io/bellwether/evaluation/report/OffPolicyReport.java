package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.List;
import java.util.Map;

/**
 * What a log of decisions says about a target policy: immutable, free of NaN and infinity.
 *
 * <p>Values are per decision (the sum over its positions) in the signal's unit. Where something
 * cannot be computed, a machine-readable reason stands in its place.
 *
 * @param terms what was to be decided, fixed beforehand
 * @param size what the log holds
 * @param estimates every signal under every estimator that suits the log, target and baseline
 * @param comparisons paired differences to the baseline
 * @param constraints one certificate per promise
 * @param rowsNeeded decisions that would show a lift of the plan's detectable size in the objective
 * @param reasons what the verdict rests on, in words
 */
public record OffPolicyReport(
    int schemaVersion,
    Terms terms,
    Size size,
    List<Finding> validation,
    Diagnostics diagnostics,
    List<SignalEstimate> estimates,
    List<Comparison> comparisons,
    List<Certificate> constraints,
    RowsNeeded rowsNeeded,
    Verdict verdict,
    List<String> reasons) {

  public static final int SCHEMA_VERSION = 1;

  /**
   * The plan in plain values.
   *
   * @param baseline {@code champion} or {@code logging}
   */
  public record Terms(
      Objective objective,
      List<Constraint> constraints,
      double alpha,
      Limits limits,
      Map<String, Range> ranges,
      String primary,
      String looks,
      String baseline) {}

  /**
   * @param units independent units; below {@code decisions} where a subject has several, and then
   *     standard errors are cluster-robust
   */
  public record Size(
      long rows, long decisions, long units, int positions, LoggedDecisions.Excluded excluded) {}

  public OffPolicyReport {
    validation = List.copyOf(validation);
    estimates = List.copyOf(estimates);
    comparisons = List.copyOf(comparisons);
    constraints = List.copyOf(constraints);
    reasons = List.copyOf(reasons);
  }

  /**
   * Evaluates a target policy on a log.
   *
   * @throws InvalidDataException if a column holds what cannot be: no report, and no verdict
   * @throws IllegalArgumentException if the plan names a signal that the log has not
   */
  public static OffPolicyReport of(LoggedDecisions log, EvaluationPlan plan) {
    return new OffPolicyEvaluation(log, plan).report();
  }
}
