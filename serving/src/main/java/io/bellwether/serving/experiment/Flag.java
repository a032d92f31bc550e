package io.bellwether.serving.experiment;

/**
 * The answer to a product that asks for an experiment's payload. There is always one: the assigned
 * variant, else the winner of an experiment that was shipped, else the control.
 *
 * @param variant whose payload is the answer
 * @param assigned whether and how it was randomised
 */
public record Flag(ExperimentState state, Variant variant, Assigned assigned) {}
