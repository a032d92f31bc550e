/**
 * The short-video population {@code ShortVideoSim-v1}: catalogue, people, how they respond to a
 * video, and when they leave. Every draw is a function of (seed, session, step), so two policies
 * meet the same people with the same noise and no result depends on threads or batches. Read {@link
 * ShortVideoWorld} first, then {@link Session}, then {@link TrueValue}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.people;
