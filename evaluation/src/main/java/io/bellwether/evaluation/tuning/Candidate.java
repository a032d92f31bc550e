package io.bellwether.evaluation.tuning;

/**
 * One parameter that was tried, in the signal's unit.
 *
 * @param parameter infinite where it is the one that changes no weight and the family counts down
 *     from there
 * @param halfWidth of the one-sided 90 % interval by Student's t
 * @param estimatedBias |mean of what the changed weights take away|: a number, not a bound
 * @param boundedBias the same plus what chance may hide in nine of ten logs
 * @param meanSquaredError variance of the value plus {@code estimatedBias} squared
 * @param boundedMeanSquaredError variance of the value plus {@code boundedBias} squared
 */
public record Candidate(
    double parameter,
    double value,
    double standardError,
    double halfWidth,
    double estimatedBias,
    double boundedBias,
    double meanSquaredError,
    double boundedMeanSquaredError) {}
