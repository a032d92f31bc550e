package io.bellwether.evaluation.report;

/**
 * Whether the log is long enough for the effect one hopes to see in the objective.
 *
 * @param spread standard deviation of the paired difference's influence values
 * @param hoped decisions that would show a lift of the plan's detectable size
 * @param observed decisions that would show the lift that was observed, were it real
 * @param power chance that a log like this one shows the hoped-for lift, in [0, 1]
 */
public record SampleSizeNeeded(
    double spread, RowsNeeded hoped, RowsNeeded observed, double power) {}
