package io.bellwether.evaluation.experiment;

/**
 * Whether the traffic is split as it was asked to be.
 *
 * @param logBayesFactor evidence against the split of the last phase that has one
 * @param smallestP sequential p-value, the smallest so far, multiplied by what several phases cost;
 *     valid at every look
 * @param chiSquareP of the present phase, as if it were looked at once
 * @param alarm whether the split is void, and every effect with it
 */
public record SampleRatioReading(
    Figure logBayesFactor, double smallestP, Figure chiSquareP, boolean alarm) {}
