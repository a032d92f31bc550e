package io.bellwether.loadtest.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.result.Requirement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosResultTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void aLateAnswerIsExcusedWhileServingDidNotRunAndUntilAllIsWell() {
    Injected killed = new Injected(Fault.SERVING_KILLED, 10 * SECOND, 11 * SECOND, 15 * SECOND);
    assertEquals(0, result(killed, attempt(14)).answersLate());
    assertEquals(1, result(killed, attempt(16)).answersLate());
    assertEquals(1, result(killed, attempt(8)).answersLate());
    assertEquals(1, result(killed, attempt(8)).answersDue());
  }

  @Test
  void aLateAnswerIsNotExcusedByFaultsAroundServing() {
    Injected stopped = new Injected(Fault.KAFKA_STOPPED, 10 * SECOND, 11 * SECOND, 15 * SECOND);
    assertEquals(1, result(stopped, attempt(12)).answersLate());
  }

  @Test
  void whatDidNotRecoverCountsWithAllThatWasWaited() {
    Injected never = new Injected(Fault.REDIS_CUT, 10 * SECOND, 11 * SECOND, 0);
    ChaosResult result = result(never, attempt(12));
    assertEquals(60, result.recoverySecondsMax());
    assertTrue(
        result.requirements().stream()
            .anyMatch(
                each ->
                    each.name().equals("longest recovery")
                        && each.status() == Requirement.Status.NOT_SHOWN));
  }

  @Test
  void theFiguresStandAloneAndWithTheirUnits() {
    Injected cut = new Injected(Fault.REDIS_CUT, 10 * SECOND, 11 * SECOND, 12 * SECOND);
    ChaosResult result = result(cut, attempt(12));
    JsonNode json = ResultJson.of(result, Instant.EPOCH, Map.of("cores", "2"));
    assertEquals(1, json.path("faults").asInt());
    assertEquals(1.0, json.path("recovery_seconds_max").asDouble());
    assertEquals(7, json.path("figures").size());
    assertEquals("s", json.path("figures").get(6).path("unit").asText());
    String page = ResultPage.of(result, "./bellwether bench chaos", Map.of("cores", "2"));
    assertTrue(
        page.contains("| " + Fault.REDIS_CUT.words() + " | 1 | 3 s | 1.0 s | 1.0 s |"), page);
  }

  private static Attempt attempt(long sentSecond) {
    return new Attempt(sentSecond * SECOND, SECOND, 201, false);
  }

  private static ChaosResult result(Injected injected, Attempt attempt) {
    return new ChaosResult(
        ChaosExtent.quick(),
        1,
        List.of(injected),
        List.of(attempt),
        new Reckoning(1, 0, 0, 0, 0, 1, 0, 0, 0),
        0,
        0,
        null,
        60,
        1);
  }
}
