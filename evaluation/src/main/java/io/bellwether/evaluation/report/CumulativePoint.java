package io.bellwether.evaluation.report;

/**
 * What a report on the log's first decisions would have said of the objective.
 *
 * @param decisions how many of them
 * @param timeMicros of the last of them, since 1970; 0 where times are unknown
 * @param value self-normalised; 0 while no decision has weight
 * @param meanWeight of the last position
 */
public record CumulativePoint(long decisions, long timeMicros, double value, double meanWeight) {}
