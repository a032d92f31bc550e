package io.bellwether.evaluation.experiment;

/**
 * How much of a variant was counted in one phase, and how its decisions went.
 *
 * @param share of the experiment's traffic that it should get, in [0, 1]
 * @param units counted, crossovers left out
 * @param exposures decisions shown
 * @param crossovers units seen in another variant first; excluded
 * @param forced exposures by override; in no other number
 */
public record VariantReading(
    String variant,
    double share,
    long units,
    long exposures,
    long crossovers,
    long forced,
    Figure degradedShare,
    Figure decisionP50Micros,
    Figure decisionP99Micros) {}
