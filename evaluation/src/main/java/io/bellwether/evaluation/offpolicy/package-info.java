/**
 * Estimators of the value of a target policy from the decisions of a logging policy.
 *
 * <p>An {@link io.bellwether.evaluation.offpolicy.Estimator} is a formula; {@link
 * io.bellwether.evaluation.offpolicy.StreamingEstimate} applies one to a stream and merges
 * partitions, {@link io.bellwether.evaluation.offpolicy.Influence} applies one to columns and keeps
 * a row per decision, so that estimates can be compared in pairs. Start with the first.
 */
@NullMarked
package io.bellwether.evaluation.offpolicy;

import org.jspecify.annotations.NullMarked;
