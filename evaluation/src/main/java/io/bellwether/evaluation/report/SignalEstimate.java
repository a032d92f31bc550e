package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * One estimator's word on one signal's value per decision under one policy.
 *
 * @param policy {@code target} or {@code baseline}
 * @param interval 95 %, for reading; certificates and verdict have their own
 * @param note what the value must not be used for, or empty
 */
public record SignalEstimate(
    String policy,
    String signal,
    String estimator,
    Estimate estimate,
    Bounds interval,
    String note) {}
