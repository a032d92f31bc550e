/**
 * How a policy scores candidates and how a slate is drawn from the scores. Serving, offline
 * evaluation and replay all score through {@link io.bellwether.policy.scoring.Scorer} and sample
 * through {@link io.bellwether.policy.scoring.SlateSampler}, so that they cannot disagree. All
 * randomness is a function of a decision's seed ({@link
 * io.bellwether.policy.scoring.CounterRandom}); no class here keeps a generator.
 */
@NullMarked
package io.bellwether.policy.scoring;

import org.jspecify.annotations.NullMarked;
