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
 * @param gate the verdict in words
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
    GateSummary gate) {

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
   * How much the log holds.
   *
   * @param units independent units; below {@code decisions} where a subject has several, and then
   *     standard errors are cluster-robust
   */
  public record Size(
      long rows, long decisions, long units, int positions, LoggedDecisions.Excluded excluded) {}

  /**
   * The verdict as command, API and console say it.
   *
   * @param verdict {@code pass}, {@code fail} or {@code not-enough-evidence}
   * @param reasons what was found at each step, a sentence each
   * @param warnings what should be read before anybody acts on a pass
   */
  public record GateSummary(
      String verdict, Verdict.Code code, List<String> reasons, List<String> warnings) {
    public GateSummary {
      reasons = List.copyOf(reasons);
      warnings = List.copyOf(warnings);
    }
  }

  public OffPolicyReport {
    validation = List.copyOf(validation);
    estimates = List.copyOf(estimates);
    comparisons = List.copyOf(comparisons);
    constraints = List.copyOf(constraints);
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
