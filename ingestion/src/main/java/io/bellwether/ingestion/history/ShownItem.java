package io.bellwether.ingestion.history;

/**
 * One item that a subject was shown: state of {@link KeepHistory}, public so that Flink serializes
 * it as a record. Immutable by convention: nobody changes the arrays.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param position 0-based place in its slate
 * @param item encoded features
 * @param signals values in the order of the surface's history signals
 */
public record ShownItem(
    long decidedAtMicros, String decisionId, int position, float[] item, float[] signals) {

  boolean is(String decision, int place) {
    return position == place && decisionId.equals(decision);
  }
}
