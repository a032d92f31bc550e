package io.bellwether.evaluation.report;

/**
 * A decision that much of the evaluation rests on.
 *
 * @param decision its number in the log
 * @param weight of its last position
 * @param share of all weight
 * @param logging product of the propensities of its positions
 * @param target product of the target's probabilities
 * @param reward of the objective, summed over positions
 */
public record HeavyDecision(
    long decision, double weight, double share, double logging, double target, double reward) {}
