/**
 * Choosing what an estimator leaves open: the cut or shrinkage of a family, and the estimator.
 *
 * <p>A choice made on the rows that it is then used on is no licence to trust it; the value without
 * any cut stands beside the chosen one. Start with {@link io.bellwether.evaluation.tuning.Tuning}.
 */
@NullMarked
package io.bellwether.evaluation.tuning;

import org.jspecify.annotations.NullMarked;
