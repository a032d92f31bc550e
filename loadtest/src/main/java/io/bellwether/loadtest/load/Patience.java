package io.bellwether.loadtest.load;

import java.time.Duration;

/**
 * How long the product waits and how often it tries again. A request that fails for a passing
 * reason is repeated with the same ids, after pauses that double from {@code firstPause} to {@code
 * longestPause}.
 *
 * @param requestTimeout for one attempt, from connecting to the last byte of the answer
 * @param giveUpAfter since the first attempt; then the run fails
 */
public record Patience(
    Duration requestTimeout, Duration firstPause, Duration longestPause, Duration giveUpAfter) {
  /** Outlasts a restart of serving. */
  public static final Patience DEFAULT =
      new Patience(
          Duration.ofSeconds(5),
          Duration.ofMillis(20),
          Duration.ofSeconds(1),
          Duration.ofSeconds(90));

  public Patience {
    if (requestTimeout.isNegative()
        || requestTimeout.isZero()
        || firstPause.isNegative()
        || giveUpAfter.isNegative()) {
      throw new IllegalArgumentException(
          "A timeout is longer than nothing, and no pause is negative.");
    }
    if (longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException(
          "The longest pause is at least the first; found " + longestPause + " and " + firstPause);
    }
  }
}
