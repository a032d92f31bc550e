package io.bellwether.evaluation.distribution;

/** P(amount ≤ value) under the target policy, with its standard error. */
public record CdfPoint(double value, double probability, double standardError) {}
