/**
 * How fast a running service decides, beside the floors of the same machine: an endpoint that does
 * nothing and the bare graph. {@code OpenLoop} offers requests at times that do not wait for
 * answers, and {@code ServingBenchmark} ramps, measures, swaps versions, and holds all of it
 * against what it has to show. Read {@link io.bellwether.loadtest.serving.OpenLoop} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.serving;
