package io.bellwether.evaluation.experiment;

/**
 * One decision of a rollout.
 *
 * @param memory what the next tick has to be told
 */
public record Tick(Verdict verdict, TickMemory memory) {}
