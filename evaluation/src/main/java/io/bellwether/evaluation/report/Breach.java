package io.bellwether.evaluation.report;

/** A promise that the log shows to be broken, or the objective where it is not reached. */
public record Breach(String signal, String words) {}
