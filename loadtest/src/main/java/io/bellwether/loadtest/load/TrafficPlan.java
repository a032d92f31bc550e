package io.bellwether.loadtest.load;

import java.net.URI;
import java.time.Duration;

/**
 * One run of the simulated product: where to, which sessions, how many at once.
 *
 * @param baseUri Bellwether's address without the {@code /v1}
 * @param apiKey sent as {@code X-API-Key}; empty sends none
 * @param run ends every decision id, so that the same sessions can be run again; letters, digits,
 *     {@code . _ ~ -}
 * @param firstSession sessions are taken from here on, in order
 * @param maxSessions no more than these are started
 * @param stopAfter no session starts later than this after the first one; those that run are
 *     finished
 * @param concurrency sessions at once, each with at most one request in flight
 */
public record TrafficPlan(
    URI baseUri,
    String apiKey,
    String run,
    long firstSession,
    long maxSessions,
    Duration stopAfter,
    int concurrency,
    Delivery delivery,
    Patience patience) {

  private static final Duration NO_END = Duration.ofDays(365);

  public TrafficPlan {
    if (!run.matches("[A-Za-z0-9._~-]{1,64}")) {
      throw new IllegalArgumentException(
          "A run is named by 1 to 64 of A-Z a-z 0-9 . _ ~ -, not '" + run + "'.");
    }
    if (firstSession < 0 || maxSessions < 0 || stopAfter.isNegative() || concurrency < 1) {
      throw new IllegalArgumentException(
          "Sessions and times are not negative and at least one session runs at once; found "
              + "%d, %d, %s and %d".formatted(firstSession, maxSessions, stopAfter, concurrency));
    }
  }

  /**
   * Sends {@code sessions} sessions to a Bellwether without keys, 32 at once, with the default
   * delivery.
   */
  public static TrafficPlan of(URI baseUri, String run, long firstSession, long sessions) {
    return new TrafficPlan(
        baseUri, "", run, firstSession, sessions, NO_END, 32, Delivery.DEFAULT, Patience.DEFAULT);
  }

  public TrafficPlan withApiKey(String key) {
    return new TrafficPlan(
        baseUri, key, run, firstSession, maxSessions, stopAfter, concurrency, delivery, patience);
  }

  public TrafficPlan withStopAfter(Duration time) {
    return new TrafficPlan(
        baseUri, apiKey, run, firstSession, maxSessions, time, concurrency, delivery, patience);
  }

  public TrafficPlan withConcurrency(int sessionsAtOnce) {
    return new TrafficPlan(
        baseUri,
        apiKey,
        run,
        firstSession,
        maxSessions,
        stopAfter,
        sessionsAtOnce,
        delivery,
        patience);
  }

  public TrafficPlan withDelivery(Delivery other) {
    return new TrafficPlan(
        baseUri, apiKey, run, firstSession, maxSessions, stopAfter, concurrency, other, patience);
  }

  public TrafficPlan withPatience(Patience other) {
    return new TrafficPlan(
        baseUri, apiKey, run, firstSession, maxSessions, stopAfter, concurrency, delivery, other);
  }
}
