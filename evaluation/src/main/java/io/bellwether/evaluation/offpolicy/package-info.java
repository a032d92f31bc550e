/**
 * Estimators of the value of a target policy from the decisions of a logging policy.
 *
 * <p>An {@link io.bellwether.evaluation.offpolicy.Estimator} is a formula; {@link
 * io.bellwether.evaluation.offpolicy.Influence} applies one to the columns of a log, in parallel
 * passes that keep nothing per decision, so that estimates can be compared in pairs; {@link
 * io.bellwether.evaluation.offpolicy.StreamingEstimate} applies one to a stream and merges
 * partitions. Start with the first.
 */
@NullMarked
package io.bellwether.evaluation.offpolicy;

import org.jspecify.annotations.NullMarked;
