package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * Target minus baseline on the same decisions, so that what both share cancels.
 *
 * @param difference V_target − V_baseline
 * @param relativeLift V_target / V_baseline − 1
 */
public record Comparison(
    String signal, String estimator, Estimate difference, Estimate relativeLift) {}
