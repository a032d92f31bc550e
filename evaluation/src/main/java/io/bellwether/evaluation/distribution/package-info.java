/**
 * Distributions of a signal under the target policy, where a mean hides too much: quantiles, means
 * of tails, and whether segments differ.
 *
 * <p>{@link io.bellwether.evaluation.distribution.WeightedCdf} is the place to start. It reads
 * decisions in passes and keeps a bounded number of points, whatever the size of the log.
 */
@NullMarked
package io.bellwether.evaluation.distribution;

import org.jspecify.annotations.NullMarked;
