package io.bellwether.trainer.network;

/**
 * The scaling of all columns of a schema, measured on the training data and carried inside the
 * exported policy.
 */
public record Normalisation(ColumnScaling context, ColumnScaling history, ColumnScaling item) {}
