package io.bellwether.serving.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.Patience;
import io.bellwether.serving.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiskFirstTest {

  private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
  private final List<CompletableFuture<Void>> kept = new ArrayList<>();
  private final List<CompletableFuture<Void>> sent = new ArrayList<>();

  @AfterEach
  void stop() {
    timers.shutdownNow();
  }

  @Test
  void whatIsOnTheDiskIsSafeAndKafkaIsNotAsked() {
    CompletableFuture<Stored> stored = record(Duration.ofMinutes(1));
    assertFalse(stored.isDone());
    kept.get(0).complete(null);
    assertEquals(Stored.SPOOL, stored.join());
    assertEquals(0, sent.size());
  }

  @Test
  void aDiskThatTakesNothingIsStoodInForByKafka() {
    CompletableFuture<Stored> stored = record(Duration.ofMinutes(1));
    kept.get(0).completeExceptionally(new IOException("the disk is full"));
    sent.get(0).complete(null);
    assertEquals(Stored.KAFKA, stored.join());
  }

  @Test
  void aDiskThatIsLateIsStoodInForByKafka() throws Exception {
    CompletableFuture<Stored> stored = record(Duration.ofMillis(1));
    long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (sent() == 0 && System.nanoTime() < patience) {
      Thread.onSpinWait();
    }
    sent.get(0).complete(null);
    assertEquals(Stored.KAFKA, stored.get(10, TimeUnit.SECONDS));
  }

  @Test
  void whereNeitherTakesItTheAnswerIsRefused() {
    CompletableFuture<Stored> stored = record(Duration.ofMinutes(1));
    kept.get(0).completeExceptionally(new IOException("the disk is full"));
    sent.get(0).completeExceptionally(new IOException("Kafka is away"));
    kept.get(1).completeExceptionally(new IOException("the disk is full"));
    Throwable failure = assertThrows(CompletionException.class, stored::join).getCause();
    assertEquals(503, assertInstanceOf(ProblemException.class, failure).problem().status());
  }

  private int sent() {
    synchronized (sent) {
      return sent.size();
    }
  }

  private CompletableFuture<Stored> record(Duration patience) {
    Breaker breaker =
        new Breaker(new Patience(3, Duration.ofMillis(1), Duration.ofSeconds(1)), System::nanoTime);
    Recording.Ways ways =
        new Recording.Ways(
            event -> added(sent), events -> added(kept), breaker, timers, patience.toNanos());
    Event event = new Event("topic", "key", "id", "type", Instant.EPOCH, Event.AVRO, new byte[1]);
    return new DiskFirst(List.of(event), System.nanoTime() + TimeUnit.MINUTES.toNanos(1), ways)
        .begin();
  }

  private static CompletableFuture<Void> added(List<CompletableFuture<Void>> all) {
    CompletableFuture<Void> one = new CompletableFuture<>();
    synchronized (all) {
      all.add(one);
    }
    return one;
  }
}
