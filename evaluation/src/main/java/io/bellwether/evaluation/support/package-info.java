/**
 * Whether a log covers what the target policy would do: what needs the probabilities of all
 * candidates, not only of the item shown.
 *
 * <p>Vectors are never stored. A {@link io.bellwether.evaluation.support.SupportAccumulator} takes
 * them decision by decision while they are scored, parts are merged, and a {@link
 * io.bellwether.evaluation.support.Support} is what they add up to; start with the latter.
 */
@NullMarked
package io.bellwether.evaluation.support;

import org.jspecify.annotations.NullMarked;
