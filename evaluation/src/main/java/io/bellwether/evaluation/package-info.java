/**
 * Pure mathematics: how good a policy would have been, and how sure one can be of that.
 *
 * <p>Takes numbers (propensities, target probabilities, rewards) and never an event, a file or a
 * framework's type. Start with {@link io.bellwether.evaluation.report.OffPolicyReport}.
 */
@NullMarked
package io.bellwether.evaluation;

import org.jspecify.annotations.NullMarked;
