package io.bellwether.loadtest.load;

import java.time.Duration;
import java.util.Map;

/**
 * What the product has sent so far; after the run, what it sent in all. Immutable.
 *
 * @param sessions finished ones
 * @param decisions answered, by distinct id
 * @param outcomes accepted, by distinct id
 * @param outcomesPending not yet accepted; 0 after the run
 * @param outcomesBySignal {@code outcomes} by the name of their signal
 * @param decisionsByVersion {@code decisions} by the policy version that answered
 * @param degraded answers among {@code decisions} that were marked degraded
 * @param replayed answers among {@code decisions} that Bellwether gave before, to an attempt whose
 *     answer was lost
 * @param duplicates outcomes that were accepted once more on purpose
 * @param retries requests, and outcomes within a batch, that were sent again after a failure
 * @param watchSeconds watched in all sessions
 * @param decisionLatency of answered attempts
 * @param outcomeLatency of answered batches
 */
public record TrafficReport(
    long sessions,
    long decisions,
    long outcomes,
    long outcomesPending,
    Map<String, Long> outcomesBySignal,
    Map<String, Long> decisionsByVersion,
    long degraded,
    long replayed,
    long duplicates,
    long retries,
    double watchSeconds,
    Latency decisionLatency,
    Latency outcomeLatency,
    Duration elapsed) {

  /**
   * Time from sending a request to its whole answer, in milliseconds; zeros while there is none.
   */
  public record Latency(long requests, double p50Millis, double p99Millis, double maxMillis) {}

  public TrafficReport {
    outcomesBySignal = Map.copyOf(outcomesBySignal);
    decisionsByVersion = Map.copyOf(decisionsByVersion);
  }
}
