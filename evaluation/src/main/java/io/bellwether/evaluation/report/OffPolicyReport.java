package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.support.Support;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a log of decisions says about a target policy: immutable, free of NaN and infinity.
 *
 * <p>Values are per decision (the sum over its positions) in the signal's unit. Where something
 * cannot be computed, a machine-readable reason stands in its place.
 *
 * @param terms what was to be decided, fixed beforehand
 * @param size what the log holds
 * @param estimates every signal under every estimator that suits the log, target and baseline, for
 *     the whole log and, under the estimator that decides, by position
 * @param comparisons paired differences to the champion, where there is one, and to the logging
 *     policy
 * @param constraints one certificate per promise
 * @param distributions quantiles and tails of every signal under the target
 * @param segments values in the plan's segments, with a test of whether they differ
 * @param tuning how cuts and shrinkages were chosen
 * @param choice which estimator would have been closest on pseudo-evaluations; advisory
 * @param sampleSize whether the log is long enough
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
    List<Distribution> distributions,
    List<SegmentTable> segments,
    List<TunedFamily> tuning,
    EstimatorRanking choice,
    SampleSizeNeeded sampleSize,
    Verdict verdict,
    GateSummary gate) {

  public static final int SCHEMA_VERSION = 2;

  /**
   * The plan in plain values.
   *
   * @param looks method of the interval that decides
   * @param baseline {@code champion} or {@code logging}
   * @param simultaneous how intervals are made to hold together
   * @param segments dimensions declared beforehand
   * @param replicates resamples of a bootstrap; 0 where none was asked for
   * @param seed of everything random
   * @param loggers versions of the logging policy, where known
   */
  public record Terms(
      Objective objective,
      List<Constraint> constraints,
      double alpha,
      Limits limits,
      SortedMap<String, Range> ranges,
      String primary,
      String looks,
      String baseline,
      String simultaneous,
      List<String> segments,
      int replicates,
      long seed,
      List<String> loggers) {
    public Terms {
      constraints = List.copyOf(constraints);
      ranges = Collections.unmodifiableSortedMap(new TreeMap<>(ranges));
      segments = List.copyOf(segments);
      loggers = List.copyOf(loggers);
    }
  }

  /**
   * How much the log holds.
   *
   * @param units independent units; below {@code decisions} where a subject has several, and then
   *     standard errors are cluster-robust
   */
  public record Size(
      long rows, long decisions, long units, int positions, LoggedDecisions.Excluded excluded) {

    /** Share of all decisions that a fallback answered, in [0, 1]; they are left out. */
    public double degradedShare() {
      long all = decisions + excluded.total();
      return all == 0 ? 0 : (double) excluded.fallbacks() / all;
    }
  }

  /**
   * The verdict as command, API and console say it.
   *
   * @param verdict {@code pass}, {@code fail} or {@code not-enough-evidence}
   * @param reasons what was found at each step, a sentence each
   * @param warnings what should be read before anybody acts on a pass
   * @param approval whether somebody has to stand up for those warnings
   * @param approver who does, or empty
   */
  public record GateSummary(
      String verdict,
      Verdict.Code code,
      List<String> reasons,
      List<String> warnings,
      Approval approval,
      String approver) {
    public GateSummary {
      reasons = List.copyOf(reasons);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A pass with warnings needs a person who has read them. The verdict stays what the evidence
   * says; whoever moves a version on asks for the name first.
   */
  public enum Approval {
    /** No pass, or no warnings. */
    NOT_NEEDED,
    /** The plan names the approver. */
    GIVEN,
    /** A pass that nobody has approved yet. */
    NEEDED
  }

  public OffPolicyReport {
    validation = List.copyOf(validation);
    estimates = List.copyOf(estimates);
    comparisons = List.copyOf(comparisons);
    constraints = List.copyOf(constraints);
    distributions = List.copyOf(distributions);
    segments = List.copyOf(segments);
    tuning = List.copyOf(tuning);
  }

  /** Decisions that would show a lift of the plan's detectable size in the objective. */
  public RowsNeeded rowsNeeded() {
    return sampleSize.hoped();
  }

  /** The whole log's estimates, without those by position. */
  public List<SignalEstimate> overall() {
    return estimates.stream().filter(each -> each.scope().equals(Scope.ALL)).toList();
  }

  /**
   * Evaluates a target policy on a log.
   *
   * @throws InvalidDataException if a column holds what cannot be: no report, and no verdict
   * @throws IllegalArgumentException if the plan names a signal that the log has not
   */
  public static OffPolicyReport of(LoggedDecisions log, EvaluationPlan plan) {
    return of(log, plan, Support.EMPTY);
  }

  /**
   * Evaluates a target policy on a log of which all candidates' probabilities were seen.
   *
   * @param support what they show
   * @throws InvalidDataException if a column or a vector holds what cannot be
   * @throws IllegalArgumentException if the plan names a signal or a segment that the log has not
   */
  public static OffPolicyReport of(LoggedDecisions log, EvaluationPlan plan, Support support) {
    return new OffPolicyEvaluation(log, plan, support).report();
  }
}
