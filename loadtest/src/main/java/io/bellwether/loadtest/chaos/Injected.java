package io.bellwether.loadtest.chaos;

/**
 * One fault that was injected: times of {@link System#nanoTime}.
 *
 * @param recoveredNanos when all was well again; 0 where that was not seen in time
 */
record Injected(Fault fault, long beganNanos, long endedNanos, long recoveredNanos) {

  /** From the fault's end until all was well, seconds. */
  double recoverySeconds(double otherwise) {
    return recoveredNanos == 0 ? otherwise : Math.max(0, (recoveredNanos - endedNanos) / 1e9);
  }

  /** Whether a request that was under way then could not be answered in time by anybody. */
  boolean excuses(Attempt attempt) {
    long answered = attempt.sentNanos() + attempt.nanos();
    return fault.stopsAnswers()
        && answered - beganNanos > 0
        && (recoveredNanos == 0 || attempt.sentNanos() - recoveredNanos < 0);
  }
}
