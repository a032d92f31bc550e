/**
 * Who answers in a policy's place. {@link io.bellwether.serving.fallback.FallbackChain} goes
 * through what the surface declares; a {@link io.bellwether.serving.fallback.StandIn} is who was
 * found, with all that a slate and its exact propensities follow from.
 */
@NullMarked
package io.bellwether.serving.fallback;

import org.jspecify.annotations.NullMarked;
