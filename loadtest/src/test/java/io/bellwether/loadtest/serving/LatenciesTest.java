package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatenciesTest {

  @Test
  void percentilesHaveThreeDigits() {
    Latencies latencies = new Latencies();
    for (int i = 1; i <= 10_000; i++) {
      latencies.record(i * 1_000L);
    }
    assertEquals(5, latencies.millis(50), 0.01);
    assertEquals(9.9, latencies.millis(99), 0.02);
    assertEquals(9.99, latencies.millis(99.9), 0.02);
    assertEquals(10_000, latencies.count());
    assertEquals(0, latencies.overflows());
  }

  @Test
  void whatIsLongerThanAMinuteIsCountedAsAMinuteAndAsAnOverflow() {
    Latencies latencies = new Latencies();
    latencies.record(Long.MAX_VALUE);
    latencies.record(Latencies.LONGEST_NANOS + 1);
    latencies.record(Latencies.LONGEST_NANOS);
    assertEquals(3, latencies.count());
    assertEquals(2, latencies.overflows());
    assertEquals(60_000, latencies.maxMillis(), 60);
    assertEquals(2, latencies.percentiles().overflows());
  }

  @Test
  void aClockThatWentBackCountsAsNoTime() {
    Latencies latencies = new Latencies();
    latencies.record(-5);
    assertEquals(1, latencies.count());
    assertEquals(0, latencies.millis(50), 0.001);
  }

  @Test
  void withoutTimesThereIsNothing() {
    Latencies latencies = new Latencies();
    assertEquals(0, latencies.millis(99));
    assertEquals(0, latencies.meanMillis());
  }

  @Test
  void theFileIsHdrHistogramsTable(@TempDir Path folder) throws Exception {
    Latencies latencies = new Latencies();
    latencies.record(2_000_000);
    latencies.write(folder.resolve("a.hgrm"));
    assertTrue(
        Files.readString(folder.resolve("a.hgrm"))
            .contains("Value     Percentile TotalCount 1/(1-Percentile)"));
  }
}
