package io.bellwether.ingestion.attribution;

import java.io.Serializable;
import java.time.Duration;

/**
 * How event time moves.
 *
 * @param disorder how far behind its partition's latest event another may come and be on time
 * @param idleAfter silence after which a partition follows the wall clock
 * @param settle how long nothing moves after a start
 */
public record EventTimeSettings(Duration disorder, Duration idleAfter, Duration settle)
    implements Serializable {

  public EventTimeSettings {
    if (disorder.isNegative() || idleAfter.isNegative() || settle.isNegative()) {
      throw new IllegalArgumentException("no time of " + disorder + idleAfter + settle + " < 0");
    }
  }

  /** For one machine: windows of seconds close within seconds. */
  public static EventTimeSettings defaults() {
    return new EventTimeSettings(
        Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10));
  }
}
