package io.bellwether.serving.outage;

import java.time.Duration;

/**
 * How much a {@link Breaker} puts up with. Immutable.
 *
 * @param failures in a row that open it, above 0
 * @param pause before the first trial call, above 0; doubled by each trial that fails
 * @param longestPause bound of the doubling, at least {@code pause}
 */
public record Patience(int failures, Duration pause, Duration longestPause) {

  public Patience {
    if (failures < 1) {
      throw new IllegalArgumentException(failures + " failures, expected at least 1");
    }
    if (pause.isNegative() || pause.isZero() || longestPause.compareTo(pause) < 0) {
      throw new IllegalArgumentException(
          "pauses from %s to %s, expected them above 0 and in order"
              .formatted(pause, longestPause));
    }
  }
}
