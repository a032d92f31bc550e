package io.bellwether.serving.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventIdsTest {

  @Test
  void idsAreDistinctAndFitDecisions() {
    EventIds ids = EventIdsFixture.ids();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      String id = ids.next();
      assertTrue(id.matches("[0-9A-HJKMNP-TV-Z]{26}"), id);
      assertTrue(seen.add(id));
    }
  }

  @Test
  void idsSortByTime() {
    assertEquals("0000000000", EventIdsFixture.ids().next().substring(0, 10));
    assertTrue(at(1_700_000_000_000L).compareTo(at(1_700_000_000_001L)) < 0);
    assertTrue(at(1_700_000_000_031L).compareTo(at(1_700_000_000_032L)) < 0);
  }

  private static String at(long millis) {
    return new EventIds(Clock.fixed(Instant.ofEpochMilli(millis), ZoneOffset.UTC)).next();
  }
}
