/**
 * Quantiles, confidence intervals and confidence sequences, each a pure function of numbers.
 *
 * <p>An interval holds at one planned look, a sequence at every look. Start with {@link
 * io.bellwether.evaluation.interval.Interval}.
 */
@NullMarked
package io.bellwether.evaluation.interval;

import org.jspecify.annotations.NullMarked;
