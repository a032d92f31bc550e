/**
 * The chances of whole slates, prefixes and places under a law of slates, and the weights that
 * follow from them.
 *
 * <p>Start with {@link io.bellwether.evaluation.slate.PlackettLuce}; the estimators that use these
 * numbers are in {@code io.bellwether.evaluation.offpolicy}.
 */
@NullMarked
package io.bellwether.evaluation.slate;

import org.jspecify.annotations.NullMarked;
