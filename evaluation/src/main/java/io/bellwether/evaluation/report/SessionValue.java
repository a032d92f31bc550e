package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * One signal's discounted value per session under one policy, by one estimator.
 *
 * @param policy {@code target}, {@code baseline}, or {@code difference} for the first less the
 *     second, paired
 * @param estimator {@code wpdis}, {@code wdr}, {@code fqe} or {@code magic}
 * @param interval 95 %, for reading
 * @param thinShare share of the log's discounted amounts that too few effective sessions speak for
 */
public record SessionValue(
    String policy,
    String signal,
    String estimator,
    Estimate estimate,
    Bounds interval,
    double thinShare) {}
