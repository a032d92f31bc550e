/**
 * The learners: one engine that turns logged rows into trained networks, and a thin class per
 * algorithm that states only its losses.
 *
 * <p>Everything random is a function of the plan's seed and of row ids, so equal data gives equal
 * bytes. Read {@link io.bellwether.trainer.algorithm.Learner} first, then {@link
 * io.bellwether.trainer.algorithm.ConstrainedActorCritic}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.trainer.algorithm;
