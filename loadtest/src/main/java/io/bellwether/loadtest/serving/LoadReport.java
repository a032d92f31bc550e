package io.bellwether.loadtest.serving;

/**
 * What came of one open-loop run. The distributions are not copied.
 *
 * @param offered requests that were due
 * @param succeeded answered with 2xx, of these {@code degraded} with less than the full answer
 * @param limited answered with 429 or 503: the service said that it has no room
 * @param refused answered with another status
 * @param failed without an answer: lost connections and timeouts
 * @param offeredPerSecond the rate that was asked for
 * @param dueSeconds for how long requests were due
 * @param seconds from the start to the last answer, at least as long as requests were due
 * @param mostWaiting most requests that were due and had no connection yet
 * @param latency of answers with 2xx, from the moment at which the request was due
 * @param service the same from the moment at which it was written: what a generator shows that
 *     waits for the service
 * @param lateness from when requests were due to when they were written, where a connection was
 *     free: the generator's own share
 */
record LoadReport(
    long offered,
    long succeeded,
    long degraded,
    long limited,
    long refused,
    long failed,
    double offeredPerSecond,
    double dueSeconds,
    double seconds,
    int mostWaiting,
    Latencies latency,
    Latencies service,
    Latencies lateness) {

  /** At least this share of what was due has to be answered, */
  private static final double ANSWERED = 0.99;

  /** and no later than this share of the time, and these seconds, after the last was due. */
  private static final double LATE = 0.03;

  private static final double LATE_SECONDS = 0.1;

  /** Answers per second, with 2xx. */
  double perSecond() {
    return succeeded / seconds;
  }

  /** Whether the service kept up with what was offered and refused next to nothing. */
  boolean sustained() {
    return succeeded >= ANSWERED * offered && seconds <= dueSeconds * (1 + LATE) + LATE_SECONDS;
  }

  /** Requests without a full answer: refused, failed, limited. */
  long unanswered() {
    return limited + refused + failed;
  }
}
