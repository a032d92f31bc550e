/**
 * Scoring for many requests at once. {@link io.bellwether.serving.scoring.ScoringQueue} gathers
 * what waits for the same version and runs its graph on all of it; {@link
 * io.bellwether.serving.scoring.CandidateRows} are a request's encoded candidates.
 */
@NullMarked
package io.bellwether.serving.scoring;

import org.jspecify.annotations.NullMarked;
