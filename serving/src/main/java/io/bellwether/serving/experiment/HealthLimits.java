package io.bellwether.serving.experiment;

import java.time.Duration;

/**
 * Limits of how a variant's policy may run. Crossing one takes the rollout back at once.
 *
 * @param degradedShare most decisions that another than the variant's own policy answered, in [0,
 *     1]
 * @param decisionP99 longest time of 99 in 100 decisions
 * @param exposures how many exposures there are at least before a limit is looked at
 */
public record HealthLimits(double degradedShare, Duration decisionP99, long exposures) {}
