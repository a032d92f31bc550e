package io.bellwether.serving.log;

import io.bellwether.serving.Fixtures;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;

/** Decision logs of tests. */
public final class DecisionLogFixture {

  private DecisionLogFixture() {}

  /** A log that encodes and decodes, and has nobody to write to. */
  public static DecisionLog alone() {
    return new DecisionLog(
        new EventLog(
            Fixtures.config(Map.of("bellwether.kafka", "nowhere")), new SimpleMeterRegistry()));
  }
}
