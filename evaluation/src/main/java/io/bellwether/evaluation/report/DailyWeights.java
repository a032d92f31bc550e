package io.bellwether.evaluation.report;

/**
 * The target's weights on one day under one version of the logging policy.
 *
 * @param logger version of the logging policy, or empty where it is unknown
 * @param day ISO date, UTC
 * @param interval 95 % normal interval of the mean weight
 */
public record DailyWeights(
    String logger,
    String day,
    long decisions,
    double meanWeight,
    Bounds interval,
    double effectiveSampleSize) {}
