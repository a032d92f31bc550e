package io.bellwether.serving.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Workers workers =
      new Workers(
          Fixtures.config(Map.of("bellwether.max-in-flight", "2", "bellwether.workers", "1")),
          registry);

  @Test
  void whatExceedsTheBoundIsTurnedAwayUntilARequestEnds() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    CompletableFuture<String> one = workers.admit(() -> first).toCompletableFuture();
    CompletableFuture<String> two = workers.admit(() -> second).toCompletableFuture();
    ProblemException refusal = refusal(admit());
    assertEquals(429, refusal.problem().status());
    assertEquals("1", refusal.headers().get("Retry-After"));
    assertEquals("\"requests\";r=0;t=1", refusal.headers().get("RateLimit"));
    assertEquals(
        "\"requests\";q=2;qu=\"concurrent-requests\"", refusal.headers().get("RateLimit-Policy"));
    assertEquals(1, registry.get("bellwether.requests.shed").counter().count());
    assertEquals(2, registry.get("bellwether.requests.in.progress").gauge().value());

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
