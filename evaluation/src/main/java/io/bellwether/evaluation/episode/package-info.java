/**
 * Values of a policy over whole episodes, where a decision changes what the later ones meet.
 *
 * <p>{@link io.bellwether.evaluation.episode.EpisodeSteps} weighs the logged episodes for one
 * policy; {@link io.bellwether.evaluation.episode.EpisodeEstimator} and {@link
 * io.bellwether.evaluation.episode.Magic} read a signal's value from them. The tabular classes need
 * numbered states, and are what the learned ones are held against. Start with the first.
 */
@NullMarked
package io.bellwether.evaluation.episode;

import org.jspecify.annotations.NullMarked;
