/**
 * How what operators say to each other crosses between tasks: written by hand, since reflection
 * would cost more than the operators do. State has Flink's own serializers, which evolve.
 */
@NullMarked
package io.bellwether.ingestion.wire;

import org.jspecify.annotations.NullMarked;
