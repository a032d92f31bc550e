package io.bellwether.loadtest.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.evaluation.coverage.CoverageCell;
import io.bellwether.loadtest.evaluation.coverage.CoverageTable;
import io.bellwether.loadtest.evaluation.coverage.Expectation;
import io.bellwether.loadtest.evaluation.golden.GoldenComparison;
import io.bellwether.loadtest.evaluation.golden.GoldenRow;
import io.bellwether.loadtest.evaluation.planted.PlantedResult;
import io.bellwether.loadtest.evaluation.planted.PlantedTable;
import io.bellwether.loadtest.evaluation.planted.SelfEvaluation;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.evaluation.speed.ToolRun;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class EvaluationResultTest {

  @Test
  void whatIsWithinItsLimitsIsShown() {
    EvaluationResult result = result(950, "fail", List.of(run(10)));
    assertEquals(
        List.of(),
        result.requirements().stream().filter(each -> each.status() != Status.SHOWN).toList());
  }

  @Test
  void aShareOutsideByLessThanChanceExplainsIsNotKnown() {
    assertEquals(Status.NOT_KNOWN, status(result(915, "fail", List.of(run(10))), 1));
    assertEquals(Status.NOT_SHOWN, status(result(900, "fail", List.of(run(10))), 1));
  }

  @Test
  void aPlantedFailureThatPassesIsNotShown() {
    assertEquals(Status.NOT_SHOWN, status(result(950, "pass", List.of(run(10))), 2));
  }

  @Test
  void withoutNumPyTheSpeedIsNotKnownAndNullInJsonWithAReason() {
    EvaluationResult result = result(950, "fail", List.of());
    assertEquals(Status.NOT_KNOWN, status(result, 5));
    JsonNode json = ResultJson.of(result);
    assertTrue(json.get("speed_over_reference").isNull());
    assertEquals("no module named numpy", json.get("speed_over_reference_reason").asText());
    assertEquals(1, json.get("golden_rows_equal_share").asDouble());
    assertEquals(0.95, json.get("coverage_min").asDouble());
    assertEquals(0.4, json.get("peak_memory_gib").asDouble());
    assertFalse(json.toString().contains("NaN"));
  }

  @Test
  void thePageHasATableForEachPart() {
    String page =
        ResultPage.of(result(950, "fail", List.of(run(10))), "bench", Map.of("cores", "2"));
    for (String heading :
        List.of("Golden numbers", "Coverage of 95 % intervals", "Planted failures", "Speed")) {
      assertTrue(page.contains("## " + heading), page);
    }
    assertTrue(page.contains("| one item | 500 | ips | normal | 95.0 % |"), page);
  }

  private static Status status(EvaluationResult result, int requirement) {
    return result.requirements().get(requirement).status();
  }

  private static EvaluationResult result(int covered, String verdict, List<ToolRun> reference) {
    return new EvaluationResult(
        BenchmarkExtent.quick(),
        1,
        new GoldenComparison(
            List.of(new GoldenRow("file", "/a", 1, OptionalDouble.of(1), 1e-9, ""))),
        new CoverageTable(
            1000,
            List.of(
                new CoverageCell(
                    "one item", 500, "ips", "normal", Expectation.EXACT, 1000, covered, 0))),
        new PlantedTable(
            "pass", List.of(new PlantedResult("nothing", "NAME", verdict, true, List.of("NAME")))),
        new SelfEvaluation(10, 0.5, 0, 0),
        new SpeedComparison(
            1000,
            20,
            200,
            reference,
            "2",
            reference.isEmpty() ? "no module named numpy" : "",
            List.of(run(1)),
            List.of(run(0.4)),
            null),
        12);
  }

  private static ToolRun run(double seconds) {
    return new ToolRun(seconds, 0.4, Map.of("ips", new ToolRun.Value(1, 0, 2)));
  }
}
