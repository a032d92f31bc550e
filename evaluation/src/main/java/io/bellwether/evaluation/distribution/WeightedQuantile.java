package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.interval.Interval;

/**
 * The smallest amount that a share of decisions does not exceed.
 *
 * @param probability that share, in (0, 1)
 * @param interval of the value, by inverting the normal test of the distribution function
 */
public record WeightedQuantile(double probability, double value, Interval interval) {}
