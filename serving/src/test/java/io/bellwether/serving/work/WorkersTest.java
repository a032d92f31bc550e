package io.bellwether.serving.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkersTest {

  private final Workers workers =
      new Workers(
          Fixtures.config(Map.of("bellwether.max-in-flight", "2", "bellwether.workers", "1")));

  @Test
  void whatExceedsTheBoundIsTurnedAwayUntilARequestEnds() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<String> one = workers.admit(() -> first).toCompletableFuture();
    CompletableFuture<String> two = workers.admit(() -> second).toCompletableFuture();
    ProblemException refusal = refusal(admit());
    assertEquals(429, refusal.problem().status());
    assertEquals("1", refusal.headers().get("Retry-After"));

    first.complete("done");
    assertEquals("done", one.get(10, TimeUnit.SECONDS));
    assertEquals("ok", admit().get(10, TimeUnit.SECONDS));
    assertFalse(two.isDone());
  }

  @Test
  void workThatFailsGivesItsPlaceBack() {
    for (int i = 0; i < 5; i++) {
      CompletableFuture<String> failed =
          workers
              .<String>admit(
                  () -> {
                    throw new IllegalStateException("no");
                  })
              .toCompletableFuture();
      assertInstanceOf(
          IllegalStateException.class,
          assertThrows(CompletionException.class, failed::join).getCause());
    }
    assertEquals("ok", admit().join());
    assertEquals(0, workers.inFlight());
  }

  private CompletableFuture<String> admit() {
    return workers.admit(() -> CompletableFuture.completedFuture("ok")).toCompletableFuture();
  }

  private static ProblemException refusal(CompletableFuture<String> refused) {
    return assertInstanceOf(
        ProblemException.class, assertThrows(CompletionException.class, refused::join).getCause());
  }
}
