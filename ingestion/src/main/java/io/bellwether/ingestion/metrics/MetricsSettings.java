package io.bellwether.ingestion.metrics;

import java.io.Serializable;
import java.time.Duration;

/**
 * What the numbers of experiments remember.
 *
 * @param unitIdle how long a unit that is not seen any more stays one and the same, in event time;
 *     also how far back covariates reach at most
 * @param pastDecisions of how many of a subject's newest decisions covariates can tell; at least 1
 */
public record MetricsSettings(Duration unitIdle, int pastDecisions) implements Serializable {

  public MetricsSettings {
    if (pastDecisions < 1) {
      throw new IllegalArgumentException(pastDecisions + " past decisions, expected at least 1");
    }
  }

  /** With five signals, at most 6 kB of a subject's past. */
  public static MetricsSettings defaults() {
    return new MetricsSettings(Duration.ofDays(30), 100);
  }
}
