package io.bellwether.ingestion.attribution;

/**
 * A decision or an outcome that passed all checks that need nothing but itself.
 *
 * @param progressMillis how far its partition has come, milliseconds since the epoch: when a
 *     decision was made, and when an outcome was received. (An outcome may well have happened long
 *     before; that must not hold back event time.)
 */
public record Event(String decisionId, long progressMillis, Received record) {}
