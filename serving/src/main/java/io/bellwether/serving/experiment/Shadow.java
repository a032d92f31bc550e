package io.bellwether.serving.experiment;

/**
 * A variant to be scored beside a live decision and not shown.
 *
 * @param version a version's id, {@code uniform} or {@code as-given}
 */
public record Shadow(ExperimentState state, Phase phase, Variant variant, String version) {}
