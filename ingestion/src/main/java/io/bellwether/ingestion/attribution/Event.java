package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Topics;

/**
 * A decision, an outcome or an exposure that passed all checks that need nothing but itself.
 *
 * @param progressMillis how far its partition has come, milliseconds since the epoch: when a
 *     decision was made or shown, and when an outcome was received. (An outcome may well have
 *     happened long before; that must not hold back event time.) {@link #NO_PROGRESS} says nothing
 *     about it.
 */
public record Event(String decisionId, long progressMillis, Received record) {

  /** Of what is scored whenever there is time for it. */
  static final long NO_PROGRESS = Long.MIN_VALUE;

  boolean isExposure() {
    return record.topic().equals(Topics.EXPOSURES);
  }
}
