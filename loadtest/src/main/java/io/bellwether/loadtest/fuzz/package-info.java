/**
 * Malformed and hostile requests over REST and gRPC, made from a seed, and what a service did with
 * them. {@link io.bellwether.loadtest.fuzz.HostileTraffic} sends them; what it counts as a fault is
 * an answer that blames the service, and no answer where one was due. Nothing here needs a library
 * of either protocol, since most of what is sent none of them would.
 */
@NullMarked
package io.bellwether.loadtest.fuzz;

import org.jspecify.annotations.NullMarked;
