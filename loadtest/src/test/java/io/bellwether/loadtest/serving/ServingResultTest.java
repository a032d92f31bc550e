package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.fuzz.HostileTraffic;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServingResultTest {
  private static final long MILLI = 1_000_000;

  @Test
  void ratiosAreOverTheSumOfBothFloors() throws Exception {
    ScenarioResult result = scenario(6, OptionalDouble.of(20_000));
    assertEquals(2, result.overFloor(50), 0.01);
    // 1 ms and 2 ms of CPU time allow a third of a thousand per second on each of two cores.
    assertEquals(2_000 / 3.0, result.allowedPerSecond(), 0.01);
    assertEquals(0.75, result.throughputOverFloor(), 0.001);
  }

  @Test
  void whatIsMissedIsNotShownAndWhatIsNotMeasuredIsNotKnown() throws Exception {
    List<Requirement> missed = result(scenario(6, OptionalDouble.of(40_000))).requirements();
    assertEquals(Status.NOT_SHOWN, status(missed, "by-id: p50 over the floor's"));
    assertEquals(Status.SHOWN, status(missed, "by-id: p99 over the floor's"));
    assertEquals(Status.SHOWN, status(missed, "by-id: throughput over what the floors allow"));
    assertEquals(Status.NOT_SHOWN, status(missed, "allocation per decision"));
    List<Requirement> unknown = result(scenario(4, OptionalDouble.empty())).requirements();
    assertEquals(Status.SHOWN, status(unknown, "by-id: p50 over the floor's"));
    assertEquals(Status.NOT_KNOWN, status(unknown, "allocation per decision"));
  }

  @Test
  void theFiguresHaveStableNames() throws Exception {
    JsonNode json = ResultJson.of(result(scenario(6, OptionalDouble.of(20_000))));
    assertEquals(2, json.path("p50_over_floor").asDouble(), 0.01);
    assertEquals(2, json.path("p99_over_floor").asDouble(), 0.01);
    assertEquals(2, json.path("p999_over_floor").asDouble(), 0.01);
    assertEquals(0.75, json.path("throughput_over_floor").asDouble(), 0.001);
    assertTrue(json.path("linear_decisions_per_second").isNull());
    assertEquals(20_000, json.path("allocated_bytes_per_decision").asDouble());
    assertEquals(3, json.path("swap_failed_requests").asLong());
    assertEquals(0.25, json.path("swap_resident_growth").asDouble());
    assertEquals(0.5, json.path("retrieval_recall").asDouble());
    assertEquals(1, json.path("hostile_leaks").asLong());
    assertTrue(json.path("soak_longest_pause_millis").isNull());
  }

  @Test
  void thePageSaysWhatIsOverTheFloorAndWhoTakesTheTime() throws Exception {
    String page =
        ResultPage.of(
            result(scenario(6, OptionalDouble.of(20_000))), "./bench", Map.of("cores", "2"));
    assertTrue(page.contains("| by-id: p50 over the floor's | 2.00 | at most 1.5 | not shown |"));
    assertTrue(page.contains("| worker | 1.000 ms | 100 % | 1.0 KiB |"), page);
    assertTrue(page.contains("| REST 400 | 9 |"));
    assertTrue(LatencyPlot.of(scenario(6, OptionalDouble.empty())).endsWith("</svg>\n"));
  }

  private static Status status(List<Requirement> requirements, String name) {
    return requirements.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow()
        .status();
  }

  private static ServingResult result(ScenarioResult scenario) {
    return new ServingResult(
        1,
        10,
        BenchmarkExtent.quick(),
        List.of(scenario),
        Optional.of(
            new SwapStorm.Result(5, 2, 100, 1, 2, 0, times(1), times(40), 400L << 20, 500L << 20)),
        Optional.empty(),
        Optional.of(
            new ServingResult.Hostile(
                new HostileTraffic.Result(9, new TreeMap<>(Map.of("REST 400", 9L)), List.of(), 0),
                1)),
        OptionalDouble.of(0.5));
  }

  /** Against floors of 1 and 2 ms. */
  private static ScenarioResult scenario(long millis, OptionalDouble allocated) throws Exception {
    Scenario reference = ScenarioFolder.read(Path.of("..", "examples", "benchmarks")).get(0);
    return new ScenarioResult(
        reference,
        2_000,
        500,
        List.of(),
        load(millis),
        load(1),
        new BareGraph.Times(times(2), 2),
        new ScenarioResult.Use(
            3,
            allocated,
            List.of(new ProcessUse.Threads("worker", 1_000, 1_000 << 10)),
            List.of(new ProcessUse.Pause("young", 4)),
            100L << 20),
        1,
        2);
  }

  private static LoadReport load(long millis) {
    return new LoadReport(
        1_000, 1_000, 0, 0, 0, 0, 250, 4, 4, 0, times(millis), times(millis), times(0));
  }

  private static Latencies times(long millis) {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 1_000; i++) {
      latencies.record(millis * MILLI);
    }
    return latencies;
  }
}
