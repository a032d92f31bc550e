package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
    Event event = new Event("t", "k", "i", "type", Instant.EPOCH, Event.JSON, "{}".getBytes(UTF_8));
    CompletionException refusal =
        assertThrows(CompletionException.class, () -> log.send(event).join());
    assertEquals(503, ((ProblemException) ProblemMapper.unwrapped(refusal)).problem().status());
    assertEquals(Stored.SPOOL, log.record(event).join());
    log.stop(new ShutdownEvent());
  }

  private static void await(EventLog log, String state) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!log.state().startsWith(state) || !log.ready()) {
      assertTrue(System.nanoTime() < deadline, log.state() + ", " + log.spoolState());
      Thread.onSpinWait();
    }
  }
}
