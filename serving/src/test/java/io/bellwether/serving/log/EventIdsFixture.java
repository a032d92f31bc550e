package io.bellwether.serving.log;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** Ids of tests. */
public final class EventIdsFixture {

  private EventIdsFixture() {}

  public static EventIds ids() {
    return new EventIds(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }
}
