package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void whileNoProducerTakesTheAddressEventsAreKept() {
    EventLog log =
        new EventLog(
            Fixtures.config(
                Map.of("bellwether.kafka", "nowhere", "bellwether.spool", folder.toString())),
            new SimpleMeterRegistry());
    log.start(new StartupEvent());
    await(log, "waiting for Kafka at nowhere");
    Event event = event();
    CompletionException refusal =
        assertThrows(CompletionException.class, () -> log.send(event).join());
    assertEquals(503, ((ProblemException) ProblemMapper.unwrapped(refusal)).problem().status());
    assertEquals(Stored.SPOOL, log.record(event).join());
    log.stop(new ShutdownEvent());
  }

  @Test
  void whatIsNowhereIsRefusedOrAnsweredAsItsSurfaceWants() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    EventLog log =
        new EventLog(
            Fixtures.config(Map.of("bellwether.kafka", "nowhere", "bellwether.spool-bytes", "0")),
            registry);
    List<Event> events = List.of(event());
    CompletionException refusal =
        assertThrows(
            CompletionException.class,
            () -> log.record(events, Fixtures.feed(), log.byNanos()).join());
    assertEquals(503, ((ProblemException) ProblemMapper.unwrapped(refusal)).problem().status());
    Surface answering =
        new SurfaceReader()
            .parse("feed.yaml", (Fixtures.FEED + "when-unlogged: answer\n").getBytes(UTF_8));
    assertEquals(Stored.UNLOGGED, log.record(events, answering, log.byNanos()).join());
    assertEquals(1, registry.counter("bellwether.log.unlogged", "surface", "feed").count());
    assertEquals(2, registry.counter("bellwether.log.refused").count());
    assertFalse(log.ready());
    log.stop(new ShutdownEvent());
  }

  private static Event event() {
    return new Event("t", "k", "i", "type", Instant.EPOCH, Event.JSON, "{}".getBytes(UTF_8));
  }

  private static void await(EventLog log, String state) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!log.state().startsWith(state) || !log.ready()) {
      assertTrue(System.nanoTime() < deadline, log.state() + ", " + log.spoolState());
      Thread.onSpinWait();
    }
  }
}
