/**
 * Simulated people, and the product that serves them. {@code people} is a world whose truth is
 * known: who somebody is, what they like, and the exact value of any policy for them. {@code load}
 * drives a running Bellwether through its public API with these people; read {@link
 * io.bellwether.loadtest.people.ShortVideoWorld} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest;
