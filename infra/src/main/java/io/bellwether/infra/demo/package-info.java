/**
 * The whole loop on one machine, with simulated people. {@link io.bellwether.infra.demo.Demo} is
 * the story, step by step; {@link io.bellwether.infra.demo.JoinedTally} counts what the streams
 * made of what was sent; {@link io.bellwether.infra.demo.DemoResult} is what a script reads at the
 * end.
 */
@NullMarked
package io.bellwether.infra.demo;

import org.jspecify.annotations.NullMarked;
