package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * Target minus another policy on the same decisions, so that what both share cancels.
 *
 * @param against {@code champion} or {@code logging}
 * @param difference V_target − V_other
 * @param relativeLift V_target / V_other − 1
 * @param interval 95 % of the difference, as if it were the only one
 * @param simultaneousInterval of the difference; together with those of all other signals under the
 *     same estimator against the same policy it holds with probability 1 − alpha
 * @param liftInterval 95 % of the relative lift, as if it were the only one
 */
public record Comparison(
    String against,
    String signal,
    String estimator,
    Estimate difference,
    Estimate relativeLift,
    Bounds interval,
    Bounds simultaneousInterval,
    Bounds liftInterval) {}
