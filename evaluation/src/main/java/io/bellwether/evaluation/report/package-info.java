/**
 * The off-policy report: validation, diagnostics, estimates, constraint certificates and verdict.
 *
 * <p>Everything is computed from columns ({@link
 * io.bellwether.evaluation.offpolicy.LoggedDecisions}) and a plan ({@link
 * io.bellwether.evaluation.report.EvaluationPlan}) and is immutable. Start with {@link
 * io.bellwether.evaluation.report.OffPolicyReport}.
 */
@NullMarked
package io.bellwether.evaluation.report;

import org.jspecify.annotations.NullMarked;
