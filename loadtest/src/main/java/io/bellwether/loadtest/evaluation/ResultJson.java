package io.bellwether.loadtest.evaluation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.evaluation.coverage.CoverageCell;
import io.bellwether.loadtest.evaluation.golden.GoldenRow;
import io.bellwether.loadtest.evaluation.planted.PlantedResult;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.evaluation.speed.ToolRun;
import io.bellwether.loadtest.result.Figures;
import java.util.List;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, then all
 * that they rest on below {@code details}. What is not known is null with a reason beside it.
 */
public final class ResultJson {
  private final ObjectMapper mapper = new ObjectMapper();
  private final EvaluationResult result;

  private ResultJson(EvaluationResult result) {
    this.result = result;
  }

  public static ObjectNode of(EvaluationResult result) {
    return new ResultJson(result).json();
  }

  private ObjectNode json() {
    SpeedComparison speed = result.speed();
    ObjectNode json =
        mapper
            .createObjectNode()
            .put("golden_rows_equal_share", result.golden().equalShare())
            .put("coverage_min", result.coverage().least())
            .put("coverage_max", result.coverage().most())
            .put("planted_failures_passed", result.planted().passed())
            .put("planted_failures_unnamed", result.planted().unnamed());
    Figures.put(json, "speed_over_reference", speed.speed());
    Figures.put(json, "speed_over_reference_cold", speed.coldSpeed());
    if (!speed.referenceMissing().isEmpty()) {
      json.put("speed_over_reference_reason", speed.referenceMissing());
    }
    json.put("peak_memory_gib", speed.peakMemoryGib());
    json.put("seed", result.seed()).put("seconds", result.seconds());
    ObjectNode details = Figures.details(json, result);
    details.set("golden", golden());
    details.set("coverage", coverage());
    details.set("planted", planted());
    details.set("self_evaluation", mapper.valueToTree(result.self()));
    details.set("speed", speed());
    return json;
  }

  private ArrayNode golden() {
    ArrayNode rows = mapper.createArrayNode();
    for (GoldenRow row : result.golden().rows()) {
      ObjectNode node =
          rows.addObject()
              .put("file", row.file())
              .put("path", row.path())
              .put("expected", row.expected());
      Figures.put(node, "found", row.found());
      node.put("tolerance", row.tolerance()).put("equal", row.isEqual());
      if (!row.reason().isEmpty()) {
        node.put("reason", row.reason());
      }
    }
    return rows;
  }

  private ArrayNode coverage() {
    ArrayNode cells = mapper.createArrayNode();
    for (CoverageCell cell : result.coverage().cells()) {
      cells
          .addObject()
          .put("study", cell.study())
          .put("decisions", cell.decisions())
          .put("estimated", cell.estimated())
          .put("interval", cell.interval())
          .put("expected", cell.expectation().words())
          .put("logs", cell.logs())
          .put("covered", cell.covered())
          .put("absent", cell.absent())
          .put("share", cell.share())
          .put("monte_carlo_error", cell.standardError())
          .put("met", cell.isMet());
    }
    return cells;
  }

  private ObjectNode planted() {
    ObjectNode planted = mapper.createObjectNode().put("sound_log", result.planted().sound());
    ArrayNode failures = planted.putArray("failures");
    for (PlantedResult each : result.planted().results()) {
      ObjectNode node =
          failures
              .addObject()
              .put("failure", each.failure())
              .put("diagnostic", each.diagnostic())
              .put("verdict", each.verdict())
              .put("named", each.named())
              .put("caught", each.isCaught());
      node.set("found", mapper.valueToTree(each.found()));
    }
    return planted;
  }

  private ObjectNode speed() {
    SpeedComparison speed = result.speed();
    ObjectNode node =
        mapper
            .createObjectNode()
            .put("rounds", speed.rounds())
            .put("actions", speed.actions())
            .put("replicates", speed.replicates())
            .put("numpy", speed.referenceVersion());
    Figures.put(node, "numpy_seconds", speed.referenceSeconds());
    node.put("cold_seconds", speed.coldSeconds()).put("warm_seconds", speed.warmSeconds());
    Figures.put(node, "largest_relative_difference", speed.largestDifference());
    runs(node, "numpy_runs", speed.reference());
    runs(node, "cold_runs", speed.cold());
    runs(node, "warm_runs", speed.warm());
    SpeedComparison.Large large = speed.large();
    if (large != null) {
      node.putObject("large")
          .put("rounds", large.rounds())
          .put("heap", large.heap())
          .put("seconds", large.run().seconds())
          .put("peak_memory_gib", large.run().peakMemoryGib());
    }
    return node;
  }

  private void runs(ObjectNode node, String name, List<ToolRun> runs) {
    node.set(name, mapper.valueToTree(runs));
  }
}
