package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What the log proves about each promise. */
final class PromiseSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Section.heading(html, "promises", "Promises");
    List<JsonNode> constraints = report.list("constraints");
    if (constraints.isEmpty()) {
      html.paragraph("The surface declares none.");
      return;
    }
    html.paragraph(
        "A promise is kept only where the whole interval of its margin lies on the right side; the"
            + " intervals hold together with that of the objective.");
    html.plot(
        "By which margin each promise is kept",
        PromiseBars.svg("margins of the promises with intervals", bars(constraints)),
        table(constraints));
  }

  private static List<PromiseBars.Promise> bars(List<JsonNode> constraints) {
    List<PromiseBars.Promise> bars = new ArrayList<>();
    for (JsonNode each : constraints) {
      JsonNode interval = each.path("interval");
      bars.add(
          new PromiseBars.Promise(
              each.path("promise").asText() + ": " + status(each.path("status").asText()),
              interval.path("lower").isNumber() && each.path("margin").path("value").isNumber(),
              each.path("margin").path("value").asDouble(),
              interval.path("lower").asDouble(),
              interval.path("upper").asDouble(),
              each.path("status").asText()));
    }
    return bars;
  }

  private static Table table(List<JsonNode> constraints) {
    Table table =
        Table.of(
            "promise",
            "shown to be",
            "value #",
            "margin #",
            "standard error #",
            "interval of the margin",
            "decisions that would show it");
    for (JsonNode each : constraints) {
      table.row(
          each.path("promise").asText(),
          status(each.path("status").asText()),
          Figures.number(each.path("estimate").path("value")),
          Figures.number(each.path("margin").path("value")),
          Figures.number(each.path("margin").path("se")),
          SignalTables.interval(each, "interval"),
          StoredReport.is(each, "status", "UNDECIDED")
              ? Figures.count(each.path("rowsNeeded").path("decisions"))
              : "");
    }
    return table;
  }

  static String status(String status) {
    return switch (status) {
      case "SATISFIED" -> "kept";
      case "VIOLATED" -> "broken";
      default -> "not shown either way";
    };
  }
}
