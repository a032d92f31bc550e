package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.Patience;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventSpoolTest {

  private static final long PATIENCE_SECONDS = 20;

  private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private volatile boolean away = true;

  @TempDir Path folder;

  @Test
  void anEventComesBackAsItWas() throws Exception {
    Event event =
        new Event(
            "t", "ключ", "i", "type", Instant.ofEpochSecond(7, 8), Event.AVRO, new byte[] {1, 0});
    EventFrame frame = new EventFrame();
    ByteBuffer bytes = ByteBuffer.allocate(frame.size(event));
    frame.write(event, bytes);
    assertFalse(bytes.hasRemaining());
    Event read = frame.read(bytes.flip());
    assertEquals(
        List.of("t", "ключ", "i", "type"),
        List.of(read.topic(), read.key(), read.id(), read.type()));
    assertEquals(event.time(), read.time());
    assertEquals(event.mediaType(), read.mediaType());
    assertArrayEquals(event.value(), read.value());
    assertThrows(IOException.class, () -> new EventFrame().read(ByteBuffer.wrap(new byte[100])));
  }

  @Test
  void whatIsKeptWhileKafkaIsAwayArrivesInOrderOnceItIsBack() throws Exception {
    try (EventSpool spool = spool(this::kafka)) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        ids.add("e" + i);
        keep(spool, "e" + i);
      }
      away = false;
      for (String id : ids) {
        assertEquals(id, arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      assertEquals(300, registry.counter("bellwether.log.spooled").count());
    }
  }

  @Test
  void whatWasKeptByAProcessThatEndedArrivesFromTheNext() throws Exception {
    try (EventSpool spool = spool(this::kafka)) {
      keep(spool, "left");
    }
    away = false;
    try (EventSpool next = spool(this::kafka)) {
      assertEquals("left", arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  void anEventThatKafkaNeverTakesHoldsUpNoOther() throws Exception {
    away = false;
    Function<Event, CompletableFuture<Void>> picky =
        event ->
            event.id().equals("large")
                ? CompletableFuture.failedFuture(
                    new ProblemException(Problem.of(Slug.PAYLOAD_TOO_LARGE, "too large")))
                : kafka(event);
    try (EventSpool spool = spool(picky)) {
      keep(spool, "large");
      keep(spool, "small");
      assertEquals("small", arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
    assertEquals(1, registry.counter("bellwether.log.dropped").count());
  }

  private EventSpool spool(Function<Event, CompletableFuture<Void>> kafka) {
    EventSpool spool =
        new EventSpool(
            Fixtures.config(
                Map.of("bellwether.spool", folder.toString(), "bellwether.log-first", "kafka")),
            new Breaker(
                new Patience(1, Duration.ofMillis(1), Duration.ofMillis(1)), System::nanoTime),
            kafka,
            registry);
    spool.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!spool.writable()) {
      assertTrue(System.nanoTime() < deadline, spool.state());
      Thread.onSpinWait();
    }
    return spool;
  }

  private CompletableFuture<Void> kafka(Event event) {
    if (away) {
      return CompletableFuture.failedFuture(new IOException("away"));
    }
    arrived.add(event.id());
    return CompletableFuture.completedFuture(null);
  }

  private static void keep(EventSpool spool, String id) {
    spool
        .keep(
            List.of(
                new Event("t", "k", id, "type", Instant.EPOCH, Event.JSON, "{}".getBytes(UTF_8))))
        .join();
  }
}
