package io.bellwether.ingestion.attribution;

import org.jspecify.annotations.Nullable;

/**
 * A Kafka record as it came, with where it came from. Immutable by convention: nobody changes the
 * arrays.
 *
 * @param writtenAtMillis the record's own timestamp, milliseconds since the epoch
 * @param value null in a tombstone
 */
public record Received(
    String topic,
    int partition,
    long offset,
    long writtenAtMillis,
    byte @Nullable [] key,
    byte @Nullable [] value) {}
