package io.bellwether.serving.work;

import io.bellwether.serving.Fixtures;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;

/** Workers for tests of other packages. */
public final class WorkersFixture {

  private WorkersFixture() {}

  /** So many threads. */
  public static Workers of(int threads) {
    return new Workers(
        Fixtures.config(Map.of("bellwether.workers", Integer.toString(threads))),
        new SimpleMeterRegistry());
  }
}
