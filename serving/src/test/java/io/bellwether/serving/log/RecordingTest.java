package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.Patience;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
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

class RecordingTest {

  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
  private final Breaker breaker =
      new Breaker(new Patience(2, Duration.ofHours(1), Duration.ofHours(1)), System::nanoTime);
  private final List<CompletableFuture<Void>> sent = new ArrayList<>();
  private final List<List<Event>> spooled = new ArrayList<>();
  private final List<CompletableFuture<Void>> kept = new ArrayList<>();

  @AfterEach
  void stopTimers() {
    timers.shutdownNow();
  }

  @Test
  void kafkasAcknowledgementOfAllEventsCounts() {
    CompletableFuture<Stored> stored = begin(LONG, LONG, event("a"), event("b"));
    sent.get(0).complete(null);
    assertFalse(stored.isDone());
    sent.get(1).complete(null);
    assertEquals(Stored.KAFKA, stored.join());
    assertEquals(List.of(), spooled);
  }

  @Test
  void allEventsGoToTheSpoolWhereKafkaFailsForOne() {
    CompletableFuture<Stored> stored = begin(LONG, LONG, event("a"), event("b"));
    sent.get(0).complete(null);
    sent.get(1).completeExceptionally(new IOException("gone"));
    assertEquals(List.of(List.of("a", "b")), ids());
    assertFalse(stored.isDone());
    kept.get(0).complete(null);
    assertEquals(Stored.SPOOL, stored.join());
  }

  @Test
  void whatKafkaDoesNotAcknowledgeInTimeIsSpooled() {
    CompletableFuture<Stored> stored = begin(LONG, 0, event("a"));
    await(kept);
    kept.get(0).complete(null);
    assertEquals(Stored.SPOOL, stored.join());
    sent.get(0).complete(null);
    assertEquals(Stored.SPOOL, stored.join());
  }

  @Test
  void anAcknowledgementThatComesBeforeTheDiskCounts() {
    CompletableFuture<Stored> stored = begin(LONG, 0, event("a"));
    await(kept);
    sent.get(0).complete(null);
    assertEquals(Stored.KAFKA, stored.join());
  }

  @Test
  void aFullSpoolIsNoReasonToRefuseWhileKafkaMayAcknowledge() {
    CompletableFuture<Stored> stored = begin(LONG, 0, event("a"));
    await(kept);
    kept.get(0).completeExceptionally(new IOException("full"));
    assertFalse(stored.isDone());
    sent.get(0).complete(null);
    assertEquals(Stored.KAFKA, stored.join());
  }

  @Test
  void whatIsNowhereIsRefusedAndSaysWhy() {
    CompletableFuture<Stored> stored = begin(LONG, LONG, event("a"));
    sent.get(0).completeExceptionally(new IOException("Kafka is gone"));
    kept.get(0).completeExceptionally(new IOException("the spool is full"));
    ProblemException refusal = refusal(stored);
    assertEquals(503, refusal.problem().status());
    assertTrue(
        String.valueOf(refusal.getMessage())
            .contains("(Kafka did not acknowledge; the spool is full)"));
    assertEquals("1", refusal.headers().get("Retry-After"));
  }

  @Test
  void thereIsAnAnswerInTimeThoughNeitherKafkaNorTheDiskGivesOne() {
    assertEquals(503, refusal(begin(0, LONG, event("a"))).problem().status());
  }

  @Test
  void whatGoesWithAnEventThatKafkaMayNeverTakeWaitsForIt() {
    Event large =
        new Event("t", "k", "a", "type", Instant.EPOCH, Event.AVRO, new byte[(512 << 10) + 1]);
    CompletableFuture<Stored> stored = begin(LONG, LONG, large, event("b"));
    assertEquals(1, sent.size());
    sent.get(0).complete(null);
    assertFalse(stored.isDone());
    sent.get(1).complete(null);
    assertEquals(Stored.KAFKA, stored.join());

    CompletableFuture<Stored> refused = begin(LONG, LONG, large, event("b"));
    sent.get(2)
        .completeExceptionally(
            new ProblemException(Problem.of(Slug.PAYLOAD_TOO_LARGE, "too large")));
    assertEquals(413, refusal(refused).problem().status());
    assertEquals(3, sent.size());
    assertEquals(List.of(), spooled);
  }

  @Test
  void anEventThatKafkaNeverTakesIsNotSpooled() {
    CompletableFuture<Stored> stored = begin(LONG, LONG, event("a"));
    sent.get(0)
        .completeExceptionally(
            new CompletionException(
                new ProblemException(Problem.of(Slug.PAYLOAD_TOO_LARGE, "too large"))));
    assertEquals(413, refusal(stored).problem().status());
    assertEquals(List.of(), spooled);
  }

  @Test
  void afterFailuresInARowEventsGoToTheSpoolAtOnce() {
    for (int i = 0; i < 2; i++) {
      begin(LONG, LONG, event("a"));
      sent.get(i).completeExceptionally(new IOException("gone"));
    }
    CompletableFuture<Stored> stored = begin(LONG, LONG, event("b"));
    assertEquals(2, sent.size());
    kept.get(2).complete(null);
    assertEquals(Stored.SPOOL, stored.join());
    assertEquals(Breaker.State.OPEN, breaker.state());
  }

  private CompletableFuture<Stored> begin(long leftNanos, long patienceNanos, Event... events) {
    Recording.Ways ways =
        new Recording.Ways(
            event -> {
              CompletableFuture<Void> acknowledged = new CompletableFuture<>();
              sent.add(acknowledged);
              return acknowledged;
            },
            all -> {
              CompletableFuture<Void> done = new CompletableFuture<>();
              synchronized (kept) {
                spooled.add(all);
                kept.add(done);
                kept.notifyAll();
              }
              return done;
            },
            breaker,
            timers,
            patienceNanos);
    return new Recording(List.of(events), System.nanoTime() + leftNanos, ways).begin();
  }

  private static void await(List<CompletableFuture<Void>> kept) {
    synchronized (kept) {
      while (kept.isEmpty()) {
        try {
          kept.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private List<List<String>> ids() {
    return spooled.stream().map(all -> all.stream().map(Event::id).toList()).toList();
  }

  private static ProblemException refusal(CompletableFuture<Stored> stored) {
    Throwable thrown = assertThrows(CompletionException.class, stored::join);
    return (ProblemException) ProblemMapper.unwrapped(thrown);
  }

  private static Event event(String id) {
    return new Event("t", "k", id, "type", Instant.EPOCH, Event.JSON, "{}".getBytes(UTF_8));
  }
}
