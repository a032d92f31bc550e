package io.bellwether.serving.outage;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows breakers among the meters. */
public final class BreakerMeters {

  private BreakerMeters() {}

  /**
   * Shows a breaker: 0 closed, 1 trying, 2 open.
   *
   * @param dependency what it stands before, such as {@code redis}
   */
  public static void show(MeterRegistry registry, String dependency, Breaker breaker) {
    Gauge.builder("bellwether.breaker", breaker, b -> b.state().level())
        .description("Calls to what is outside: 0 go, 1 one tries, 2 none goes")
        .tag("dependency", dependency)
        .register(registry);
  }
}
