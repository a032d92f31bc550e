package io.bellwether.ingestion.history;

import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;

/**
 * One item that a subject was shown: state of {@link KeepHistory}, public so that Flink serializes
 * it as a record. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param position 0-based place in its slate
 * @param item encoded features; empty where the item is registered
 * @param signals values in the order of the surface's history signals
 * @param reference a registered item; {@link ItemReference#NONE} for others, and in state of
 *     earlier releases
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ShownItem(
    long decidedAtMicros,
    String decisionId,
    int position,
    float[] item,
    float[] signals,
    long reference) {

  boolean is(String decision, int place) {
    return position == place && decisionId.equals(decision);
  }

  /** As a history holds it. */
  public SubjectHistory.Entry entry() {
    return new SubjectHistory.Entry(decidedAtMicros, decisionId, reference, item, signals);
  }
}
