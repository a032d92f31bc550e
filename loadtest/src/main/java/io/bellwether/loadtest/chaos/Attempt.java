package io.bellwether.loadtest.chaos;

/**
 * One request for a decision that was answered, whatever the answer.
 *
 * @param sentNanos {@link System#nanoTime} when it left
 * @param nanos to the last byte of its answer
 * @param status of the answer
 * @param degraded whether it was less than full
 */
record Attempt(long sentNanos, long nanos, int status, boolean degraded) {

  /** Whether there is a decision: a new one, or the one that was made before. */
  boolean ok() {
    return status / 100 == 2;
  }
}
