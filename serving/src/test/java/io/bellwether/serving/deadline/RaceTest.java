package io.bellwether.serving.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.problem.ProblemMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RaceTest {

  private final HandAlarms alarms = new HandAlarms();
  private final Request request = new Request();
  private final Race<String, String> race = new Race<>(request, new Deadline(0, 100), alarms);

  /** A request whose parts the tests play. */
  private static final class Request implements Race.Runner<String, String> {

    private final List<String> done = new ArrayList<>();
    private final CompletableFuture<String> scores = new CompletableFuture<>();
    private final CompletableFuture<String> logged = new CompletableFuture<>();
    private RuntimeException fault = new IllegalStateException();
    private boolean faulty;
    private long budget = 100;

    @Override
    public String read() {
      done.add("read");
      if (faulty) {
        throw fault;
      }
      return "question";
    }

    @Override
    public Deadline deadline(String question) {
      return new Deadline(0, budget);
    }

    @Override
    public CompletionStage<String> byPolicy(String question, Race<String, String> race) {
      return scores.thenCompose(
          slate -> {
            if (!race.take()) {
              return race.answer();
            }
            done.add("log " + slate);
            return logged.thenApply(log -> slate);
          });
    }

    @Override
    public CompletionStage<String> byStandIn(String question) {
      done.add("stand in");
      return logged.thenApply(log -> "instead");
    }
  }

  @Test
  void aPolicyInTimeAnswersAndNothingRingsAfterwards() {
    begin();
    alarms.becomes(69);
    request.scores.complete("slate");
    assertEquals(0, alarms.waiting());
    alarms.becomes(1000);
    request.logged.complete("log");
    assertEquals("slate", race.answer().toCompletableFuture().join());
    assertEquals(List.of("read", "log slate"), request.done);
  }

  @Test
  void aPolicyThatIsLateIsDroppedAndNotLogged() {
    begin();
    alarms.becomes(70);
    assertTrue(race.lost());
    request.scores.complete("slate");
    request.logged.complete("log");
    assertEquals("instead", race.answer().toCompletableFuture().join());
    assertEquals(List.of("read", "stand in"), request.done);
  }

  @Test
  void aRequestThatNoWorkerCameToIsReadByTheClock() {
    race.arm();
    alarms.becomes(70);
    request.logged.complete("log");
    assertEquals("instead", race.answer().toCompletableFuture().join());
    assertSame(race.answer(), race.byPolicy(), "there is nothing left for a worker to do");
    assertEquals(List.of("read", "stand in"), request.done);
  }

  @Test
  void aRequestThatTurnsOutToHaveLongerIsWaitedForLonger() {
    request.budget = 1000;
    race.arm();
    alarms.becomes(699);
    assertEquals(List.of("read"), request.done);
    alarms.becomes(700);
    assertEquals(List.of("read", "stand in"), request.done);
  }

  @Test
  void aRequestThatAsksForLessIsAnsweredSooner() {
    request.budget = 10;
    begin();
    alarms.becomes(7);
    assertEquals(List.of("read", "stand in"), request.done);
    assertEquals(0, alarms.waiting());
  }

  @Test
  void aRefusalIsTheAnswerWhoeverReadsFirst() {
    request.faulty = true;
    begin();
    assertSame(request.fault, failure(race));
    Race<String, String> unread = new Race<>(request, new Deadline(0, 100), alarms);
    unread.arm();
    alarms.becomes(70);
    assertSame(request.fault, failure(unread));
    assertEquals(0, alarms.waiting());
  }

  @Test
  void aPolicyThatFailsLateFailsNobody() {
    begin();
    alarms.becomes(70);
    request.scores.completeExceptionally(new IllegalStateException());
    assertFalse(race.answer().toCompletableFuture().isDone());
    request.logged.complete("log");
    assertEquals("instead", race.answer().toCompletableFuture().join());
  }

  @Test
  void aLogThatFailsFailsTheAnswerThatWasTaken() {
    begin();
    request.scores.complete("slate");
    request.logged.completeExceptionally(request.fault);
    alarms.becomes(1000);
    assertSame(request.fault, failure(race));
  }

  /** What {@link Deadlines#race} does, with a worker that comes at once. */
  private void begin() {
    CompletableFuture.completedStage(race)
        .thenCompose(Race::byPolicy)
        .whenComplete((value, failure) -> race.policyEnded(value, failure));
    race.arm();
  }

  private static Throwable failure(Race<String, String> failed) {
    return ProblemMapper.unwrapped(
        assertThrows(
            CompletionException.class, () -> failed.answer().toCompletableFuture().join()));
  }
}
