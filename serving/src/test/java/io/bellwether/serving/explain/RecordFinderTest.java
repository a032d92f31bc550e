package io.bellwether.serving.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RecordFinderTest {

  @Test
  void aSearchBeginsALittleEarlierButNotBefore1970() {
    assertEquals(8_000, RecordFinder.millisBefore(Instant.ofEpochSecond(10)));
    assertEquals(0, RecordFinder.millisBefore(Instant.EPOCH));
  }
}
