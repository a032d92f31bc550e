package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * A contrast as measured.
 *
 * @param estimator what it was measured with
 * @param estimate {@code sign·(V_target − factor·V_baseline − offset)}; at least 0 is wanted
 * @param bounds its interval at the plan's share of alpha
 */
public record ContrastResult(
    Contrast contrast, String estimator, Estimate estimate, Bounds bounds) {}
