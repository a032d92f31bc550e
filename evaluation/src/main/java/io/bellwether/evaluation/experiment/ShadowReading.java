package io.bellwether.evaluation.experiment;

/**
 * A version that scored live decisions without being shown.
 *
 * @param scored decisions that it was asked to score
 * @param errorShare of these, not scored
 * @param agreement mean share of positions with the same item, in [0, 1]
 * @param distance mean total variation distance at the first position, in [0, 1]
 * @param passes whether it keeps every limit on enough decisions
 */
public record ShadowReading(
    String variant,
    long scored,
    Figure errorShare,
    Figure agreement,
    Figure distance,
    Figure scoringP50Micros,
    Figure scoringP99Micros,
    boolean passes) {}
