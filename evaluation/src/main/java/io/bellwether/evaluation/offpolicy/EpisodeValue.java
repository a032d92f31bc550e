package io.bellwether.evaluation.offpolicy;

/**
 * A signal's discounted value per episode.
 *
 * @param influence the value with one influence value per episode
 * @param thinShare share of the log's discounted amounts (their magnitudes) that stands at places
 *     where the effective sample size is too small to say anything, in [0, 1]; 0 where all amounts
 *     are 0
 */
public record EpisodeValue(Influence influence, double thinShare) {}
