package io.bellwether.evaluation.report;

/**
 * What a report on the log's first decisions would have said of the objective; in the order of time
 * where times are known.
 *
 * @param decisions how many of them
 * @param timeMicros of the end of the stretch of time, since 1970; 0 where times are unknown
 * @param value self-normalised
 * @param meanWeight of whole slates
 */
public record CumulativePoint(long decisions, long timeMicros, double value, double meanWeight) {}
