package io.bellwether.serving.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.work.Workers;
import io.bellwether.serving.work.WorkersFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final Workers workers = WorkersFixture.of(1);
  private final Deadlines deadlines = new Deadlines(workers, Fixtures.surfaces());

  /** A request whose policy answers at once when a worker has come to it. */
  private record Request(Duration budget) implements Race.Runner<Long, String> {

    @Override
    public Long read() {
      return System.nanoTime();
    }

    @Override
    public Deadline deadline(Long question) {
      return Deadline.of(question, budget);
    }

    @Override
    public CompletionStage<String> byPolicy(Long question, Race<Long, String> race) {
      return race.take()
          ? CompletableFuture.completedFuture("policy on " + Thread.currentThread().getName())
          : race.answer();
    }

    @Override
    public CompletionStage<String> byStandIn(Long question) {
      return CompletableFuture.completedFuture("stand-in on " + Thread.currentThread().getName());
    }
  }

  @Test
  void aPolicyInTimeAnswers() {
    assertEquals("policy on worker-1", race(LONG).join());
  }

  @Test
  void standInsAnswerWhileAllWorkersAreInASlowGraph() {
    CountDownLatch slow = new CountDownLatch(1);
    workers.execute(() -> waitFor(slow));
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(race(SHORT));
    }
    for (CompletableFuture<String> answer : answers) {
      assertTrue(answer.join().startsWith("stand-in on deadline-"), answer::join);
    }
    assertEquals(50, workers.inFlight(), "the policy's part of each still waits");
    slow.countDown();
    race(LONG).join();
    assertEquals(0, workers.inFlight());
  }

  @Test
  void whatIsTooMuchIsRefusedAtOnceAndNotStoodInFor() {
    CountDownLatch slow = new CountDownLatch(1);
    workers.execute(() -> waitFor(slow));
    List<CompletableFuture<String>> answers = new ArrayList<>();
    while (answers.stream().noneMatch(CompletableFuture::isCompletedExceptionally)) {
      answers.add(race(LONG));
      assertTrue(answers.size() <= 257, "the most is 256");
    }
    CompletableFuture<String> refused = answers.remove(answers.size() - 1);
    slow.countDown();
    ProblemException problem =
        assertInstanceOf(
            ProblemException.class,
            ProblemMapper.unwrapped(assertThrows(CompletionException.class, refused::join)));
    assertEquals(429, problem.problem().status());
    answers.forEach(CompletableFuture::join);
  }

  @Test
  void anUnreadRequestHasTheShortestDeadlineOfAllSurfaces() {
    Duration declared = Fixtures.feed().deadline();
    assertEquals(declared.toNanos(), deadlines.earliest(7, OptionalLong.empty()).budgetNanos());
    assertEquals(1_000_000, deadlines.earliest(7, OptionalLong.of(1)).budgetNanos());
  }

  @Test
  void aStageIsWaitedForUntilThen() {
    CompletableFuture<String> slow = new CompletableFuture<>();
    CompletionStage<String> bounded = deadlines.by(System.nanoTime(), slow);
    assertInstanceOf(
        TimeoutException.class,
        ProblemMapper.unwrapped(
            assertThrows(CompletionException.class, () -> bounded.toCompletableFuture().join())));
    CompletionStage<String> patient = deadlines.by(System.nanoTime() + LONG.toNanos(), slow);
    slow.complete("late");
    assertEquals("late", patient.toCompletableFuture().join());
  }

  private CompletableFuture<String> race(Duration budget) {
    return deadlines
        .race(Deadline.of(System.nanoTime(), budget), new Request(budget))
        .toCompletableFuture();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
