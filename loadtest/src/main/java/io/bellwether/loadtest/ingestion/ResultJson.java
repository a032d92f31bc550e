package io.bellwether.loadtest.ingestion;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.result.Figures;
import java.time.Instant;
import java.util.Map;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, and once
 * more as figures with their units; then all that they rest on below {@code details}.
 */
public final class ResultJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ResultJson() {}

  /**
   * The numbers.
   *
   * @param at when it was measured
   * @param machine what it ran on
   */
  public static ObjectNode of(IngestionResult result, Instant at, Map<String, String> machine) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("bench", "ingestion").put("at", at.toString());
    json.set("machine", MAPPER.valueToTree(machine));
    json.put("seed", result.seed()).put("seconds", result.seconds());
    ArrayNode figures = MAPPER.createArrayNode();
    figure(json, figures, "join_over_empty_pipeline", result.joinOverEmpty(), "ratio");
    figure(json, figures, "rows_wrong", result.rowsWrong(), "count");
    figure(json, figures, "restarts", result.restarted().restarts(), "count");
    figure(json, figures, "decisions_per_second_10kb", result.large().perSecond(), "1/s");
    figure(
        json, figures, "redis_gib_per_million_subjects", result.histories().gibPerMillion(), "GiB");
    figure(
        json,
        figures,
        "state_bytes_per_open_decision",
        result.stateBytesPerOpenDecision(),
        "bytes");
    json.set("figures", figures);
    ObjectNode details = Figures.details(json, result);
    details.put("rows_checked", result.rowsChecked());
    ArrayNode rounds = details.putArray("rounds");
    for (IngestionResult.Round round : result.rounds()) {
      rounds
          .addObject()
          .put("decisions", round.decisions())
          .put("records", round.records())
          .put("transitions", round.transitions())
          .put("empty_seconds", round.empty().seconds())
          .put("empty_cpu_seconds", round.empty().cpuSeconds())
          .put("join_seconds", round.join().seconds())
          .put("join_cpu_seconds", round.join().cpuSeconds())
          .put("rows_wrong", round.wrong());
    }
    details
        .putObject("restarted")
        .put("decisions", result.restarted().decisions())
        .put("rows_wrong", result.restarted().wrong());
    details.putObject("state").put("open", result.open()).put("bytes", result.openBytes());
    details
        .putObject("large")
        .put("decisions", result.large().decisions())
        .put("decision_bytes", result.large().decisionBytes())
        .put("transitions", result.large().transitions())
        .put("seconds", result.large().seconds());
    details
        .putObject("histories")
        .put("subjects", result.histories().subjects())
        .put("bytes", result.histories().bytes())
        .put("inline_bytes", result.histories().inlineBytes());
    return json;
  }

  private static void figure(
      ObjectNode json, ArrayNode figures, String name, double value, String unit) {
    json.put(name, value);
    figures.addObject().put("name", name).put("value", value).put("unit", unit);
  }
}
