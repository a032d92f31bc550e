package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One estimator's word on one signal's value per decision under one policy.
 *
 * @param policy {@code target} or {@code baseline}
 * @param scope the part of the log it is about
 * @param parameters of the estimator by name, such as {@code lambda}; {@code unlimited} where there
 *     is no cut
 * @param interval 95 %, for reading; certificates and verdict have their own
 * @param intervals 95 % under every method that the plan asks for, or why there is none
 * @param effectiveSampleSize of the weights that this estimator uses, in decisions
 * @param note what the value must not be used for, or empty
 * @param warnings what makes this very value doubtful, a sentence each
 */
public record SignalEstimate(
    String policy,
    String signal,
    Scope scope,
    String estimator,
    SortedMap<String, String> parameters,
    Estimate estimate,
    Bounds interval,
    List<EstimateInterval> intervals,
    double effectiveSampleSize,
    String note,
    List<String> warnings) {

  public SignalEstimate {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    intervals = List.copyOf(intervals);
    warnings = List.copyOf(warnings);
  }
}
