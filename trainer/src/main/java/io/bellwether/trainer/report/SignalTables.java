package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** One signal's values under every estimator, as lines of a forest plot and as a table. */
final class SignalTables {

  private SignalTables() {}

  static List<ForestPlot.Line> lines(List<JsonNode> estimates) {
    List<ForestPlot.Line> lines = new ArrayList<>();
    for (JsonNode each : estimates) {
      String label = label(each);
      if (!each.path("value").isNumber()) {
        lines.add(ForestPlot.Line.none(label, each.path("reason").asText("no value")));
        continue;
      }
      double value = each.path("value").doubleValue();
      JsonNode interval = each.path("interval");
      lines.add(
          ForestPlot.Line.value(
              label,
              value,
              interval.path("lower").asDouble(value),
              interval.path("upper").asDouble(value),
              StoredReport.is(each, "policy", "target") ? "main" : "base"));
    }
    return lines;
  }

  private static String label(JsonNode estimate) {
    String scope = estimate.path("scope").path("label").asText("");
    return estimate.path("policy").asText()
        + " "
        + estimate.path("estimator").asText()
        + (scope.isEmpty() ? "" : ", position " + scope);
  }

  /** What the baseline is worth, or what the log itself shows; where neither is known, nothing. */
  static List<Double> marks(StoredReport report, String signal) {
    return report
        .estimate("baseline", signal)
        .map(each -> each.path("value"))
        .or(() -> java.util.Optional.of(report.root().path("logged").path(signal).path("mean")))
        .filter(JsonNode::isNumber)
        .map(value -> List.of(value.doubleValue()))
        .orElse(List.of());
  }

  static Table table(StoredReport report, String signal, List<JsonNode> estimates) {
    Table table =
        Table.of(
            "policy",
            "estimator",
            "value #",
            "standard error #",
            "95 % interval",
            "effective sample size #",
            "");
    for (JsonNode each : estimates) {
      boolean stated = each.path("value").isNumber();
      table.styled(
          !stated
              ? "refused"
              : each.path("estimator").asText().equals(report.primary()) ? "chosen" : "",
          each.path("policy").asText(),
          estimator(each),
          Figures.number(each.path("value")),
          Figures.number(each.path("se")),
          interval(each, "interval"),
          Figures.number(each.path("effectiveSampleSize")),
          notes(each));
    }
    JsonNode logged = report.root().path("logged").path(signal);
    if (logged.path("mean").isNumber()) {
      table.row(
          "logging policy",
          "mean of the log",
          Figures.number(logged.path("mean")),
          Figures.number(logged.path("se")),
          "",
          Figures.count(logged.path("decisions")),
          Figures.count(logged.path("events"))
              + " decisions with a value; error as if all were independent");
    }
    return table;
  }

  private static String estimator(JsonNode estimate) {
    List<String> parameters = new ArrayList<>();
    estimate
        .path("params")
        .fields()
        .forEachRemaining(each -> parameters.add(each.getKey() + " " + each.getValue().asText()));
    String scope = estimate.path("scope").path("label").asText("");
    return estimate.path("estimator").asText()
        + (parameters.isEmpty() ? "" : " (" + String.join(", ", parameters) + ")")
        + (scope.isEmpty() ? "" : ", position " + scope);
  }

  private static String notes(JsonNode estimate) {
    List<String> notes = new ArrayList<>();
    if (estimate.path("reason").isTextual()) {
      notes.add(estimate.path("reason").asText());
    }
    if (estimate.path("note").isTextual()) {
      notes.add(estimate.path("note").asText());
    }
    estimate.path("warnings").forEach(each -> notes.add(each.asText()));
    return String.join("; ", notes);
  }

  /** Every method's interval of every estimate. */
  static Table intervals(List<JsonNode> estimates) {
    Table table = Table.of("policy", "estimator", "method", "level #", "lower #", "upper #", "");
    for (JsonNode each : estimates) {
      for (JsonNode interval : each.path("intervals")) {
        boolean stated = interval.path("lower").isNumber();
        table.styled(
            stated ? "" : "refused",
            each.path("policy").asText(),
            estimator(each),
            Figures.words(interval.path("method").asText()),
            Figures.number(interval.path("level")),
            Figures.number(interval.path("lower")),
            StoredReport.is(interval, "sides", "LOWER")
                ? "not claimed"
                : Figures.number(interval.path("upper")),
            interval.path("reason").asText(""));
      }
    }
    return table;
  }

  /** An interval's ends, or why there is none. */
  static String interval(JsonNode owner, String field) {
    JsonNode interval = owner.path(field);
    if (interval.path("lower").isNumber()) {
      return Figures.number(interval.path("lower"))
          + " to "
          + Figures.number(interval.path("upper"));
    }
    return owner.path(field + "Reason").asText(Figures.NONE);
  }
}
