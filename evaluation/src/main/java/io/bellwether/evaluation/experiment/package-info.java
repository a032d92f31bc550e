/**
 * Randomised comparisons of variants: effects and how sure one can be of them, from sums over units
 * that a stream keeps and that merge in any order.
 *
 * <p>Takes numbers and never an event, a clock or a store. Start with {@link
 * io.bellwether.evaluation.experiment.Metric}, which turns two {@link
 * io.bellwether.evaluation.experiment.VariantSample}s into an effect.
 */
@NullMarked
package io.bellwether.evaluation.experiment;

import org.jspecify.annotations.NullMarked;
