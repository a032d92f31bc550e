package io.bellwether.serving.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class InProgressTest {

  private final InProgress inProgress = new InProgress();

  @Test
  void aSecondRequestOfAnIdIsToldToComeBack() {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> answer = alone("a", () -> first);
    ProblemException refusal = refusal(alone("a", () -> first));
    assertEquals(409, refusal.problem().status());
    assertEquals(Map.of("Retry-After", "1"), refusal.headers());
    assertFalse(answer.isDone());
    first.complete("made");
    assertEquals("made", answer.join());
  }

  @Test
  void requestsOfOtherIdsAreNotHeldUp() {
    CompletableFuture<String> unused = alone("a", CompletableFuture::new);
    assertEquals("b", alone("b", () -> CompletableFuture.completedFuture("b")).join());
  }

  @Test
  void anIdIsFreeAgainHoweverItsWorkEnds() {
    assertEquals("made", alone("a", () -> CompletableFuture.completedFuture("made")).join());
    IllegalStateException failure = new IllegalStateException("away");
    assertTrue(
        alone("a", () -> CompletableFuture.failedFuture(failure)).isCompletedExceptionally());
    CompletableFuture<String> thrown =
        alone(
            "a",
            () -> {
              throw failure;
            });
    assertTrue(thrown.isCompletedExceptionally());
    assertEquals("made", alone("a", () -> CompletableFuture.completedFuture("made")).join());
  }

  private CompletableFuture<String> alone(String id, Supplier<CompletionStage<String>> work) {
    return inProgress.alone(id, work).toCompletableFuture();
  }

  private static ProblemException refusal(CompletableFuture<String> answer) {
    return (ProblemException)
        ProblemMapper.unwrapped(assertThrows(CompletionException.class, answer::join));
  }
}
