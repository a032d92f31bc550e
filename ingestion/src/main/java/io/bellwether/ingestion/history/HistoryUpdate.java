package io.bellwether.ingestion.history;

/**
 * What happened to one decision's slate, as far as a history tells it. Saying it twice changes
 * nothing. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param items {@code [positions, itemWidth]} when the slate was shown; empty when only the signals
 *     are news
 * @param signals {@code [positions, history signals]}, in the order of the surface; 0 where none
 *     was observed
 */
public record HistoryUpdate(
    String surface,
    String subjectId,
    String decisionId,
    long decidedAtMicros,
    int positions,
    float[] items,
    float[] signals) {

  /** Whose history it is, on which surface. */
  public String subjectKey() {
    return surface + "/" + subjectId;
  }
}
