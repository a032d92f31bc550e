package io.bellwether.evaluation.support;

/**
 * Rows with similar predictions: what was predicted and what was observed, in the signal's unit.
 *
 * @param rows at least one
 * @param standardError of the mean observed; 0 of a single row, where nobody knows it
 */
public record ReliabilityBin(
    long rows, double meanPrediction, double meanReward, double standardError) {}
