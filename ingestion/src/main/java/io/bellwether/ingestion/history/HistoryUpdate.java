package io.bellwether.ingestion.history;

import io.bellwether.ingestion.feature.ItemReference;

/**
 * What happened to one decision's slate, as far as a history tells it. Saying it twice changes
 * nothing. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param references {@code [positions]}, see {@link ItemReference}, when a slate of registered
 *     items was shown; empty otherwise
 * @param items {@code [positions, itemWidth]} when a slate of other items was shown; empty
 *     otherwise
 * @param signals {@code [positions, history signals]}, in the order of the surface; 0 where none
 *     was observed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HistoryUpdate(
    String surface,
    String subjectId,
    String decisionId,
    long decidedAtMicros,
    int positions,
    long[] references,
    float[] items,
    float[] signals) {

  /** Whose history it is, on which surface. */
  public String subjectKey() {
    return surface + "/" + subjectId;
  }
}
