package io.bellwether.trainer.gate;

/**
 * A decision that was asked of all policies.
 *
 * @param message as {@link io.bellwether.trainer.columns.LogColumns} says
 * @param logger index of the policy version that made it
 * @param target the target's chances at the first position
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record ScoredDecision(EvaluatedDecision decision, byte[] message, int logger, double[] target) {}
