/**
 * Simulated people, and the product that serves them. {@code people} is a world whose truth is
 * known, {@code load} drives a running Bellwether through its public API with these people, and
 * {@code benchmark} lets a trained policy decide for them. Read {@link
 * io.bellwether.loadtest.people.ShortVideoWorld} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest;
