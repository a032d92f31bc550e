package io.bellwether.ingestion.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

class ScrapePageTest {

  private static final Map<String, String> JOIN = Map.of("<operator_name>", "attribute outcomes");

  private final ScrapePage page = new ScrapePage();

  @Test
  void subtasksAddUpAndThoseThatAreGoneStayCounted() {
    SimpleCounter one = counter("lateEvents", 3, Map.of());
    counter("lateEvents", 4, Map.of());
    page.remove(one);
    counter("lateEvents", 1, Map.of());

    assertEquals("8", value("bellwether_streams_late_events_total"));
    assertEquals("0", value("bellwether_streams_duplicate_events_total"));
  }

  @Test
  void deadLettersAreToldByReason() {
    counter("deadLetters", 2, Map.of("<reason>", "undecodable"));
    counter("deadLetters", 5, Map.of("<reason>", "unknown-decision"));

    assertEquals("2", value("bellwether_streams_dead_letters_total{reason=\"undecodable\"}"));
    assertEquals("5", value("bellwether_streams_dead_letters_total{reason=\"unknown-decision\"}"));
  }

  @Test
  void eventTimeIsThatOfTheSubtaskFurthestBehind() {
    page.add((Gauge<Long>) () -> 9_000L, "currentInputWatermark", JOIN);
    page.add((Gauge<Long>) () -> 7_500L, "currentInputWatermark", JOIN);
    page.add((Gauge<Long>) () -> 1_000L, "currentInputWatermark", Map.of("<task_name>", "x"));

    assertEquals("7.5", value("bellwether_streams_watermark_seconds"));
    assertEquals("2.5", value("bellwether_streams_event_time_lag_seconds"));
  }

  @Test
  void beforeTheFirstEventThereIsNoEventTime() {
    page.add((Gauge<Long>) () -> Long.MIN_VALUE, "currentInputWatermark", JOIN);

    assertFalse(page.text(10_000, List.of()).contains("watermark"));
  }

  @Test
  void stateAndLagHaveTheirLines() {
    page.add((Gauge<Long>) () -> 4_096L, "lastCheckpointFullSize", Map.of());
    page.add((Gauge<String>) () -> "n/a", "lastCheckpointExternalPath", Map.of());

    assertEquals("4096", value("bellwether_streams_state_bytes"));
    assertEquals("12", value("bellwether_streams_lag_records{topic=\"outcomes\"}"));
    assertEquals(
        "1000",
        value("bellwether_streams_blocked_by_open_transaction_records{topic=\"outcomes\"}"));
    assertEquals("caught up", new TopicLag("t", 0, 0).words().substring(3));
  }

  private SimpleCounter counter(String name, int count, Map<String, String> variables) {
    SimpleCounter counter = new SimpleCounter();
    counter.inc(count);
    page.add(counter, name, variables);
    return counter;
  }

  private String value(String name) {
    String text = page.text(10_000, List.of(new TopicLag("outcomes", 12, 1_000)));
    assertTrue(text.contains("\n" + name + " ") || text.startsWith(name + " "), text);
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .findFirst()
        .orElseThrow()
        .substring(name.length() + 1);
  }
}
