package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether the logging policy stayed what it was: per day, and per version of it. */
final class DriftSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Map<String, List<JsonNode>> loggers = new LinkedHashMap<>();
    for (JsonNode each : report.diagnostics("daily")) {
      loggers.computeIfAbsent(each.path("logger").asText(), key -> new ArrayList<>()).add(each);
    }
    List<JsonNode> shares =
        StoredReport.list(report.diagnostics("support").path("days"), all -> true);
    if (loggers.isEmpty() && shares.isEmpty()) {
      return;
    }
    Section.heading(html, "drift", "Drift of the logging policy");
    html.raw("<div class=\"plots\">\n");
    loggers.forEach((logger, days) -> days(logger, days, html));
    html.raw("</div>\n");
    if (!shares.isEmpty()) {
      html.folded("How each day's shares of items differ from the version's", shares(shares));
    }
  }

  private static void days(String logger, List<JsonNode> days, Html html) {
    List<DayPlot.Day> points = new ArrayList<>();
    Table table =
        Table.of("day", "decisions #", "mean weight #", "95 % interval", "effective sample size #");
    for (JsonNode each : days) {
      double mean = each.path("meanWeight").asDouble();
      points.add(
          new DayPlot.Day(
              each.path("day").asText(),
              mean,
              each.path("interval").path("lower").asDouble(mean),
              each.path("interval").path("upper").asDouble(mean)));
      table.row(
          each.path("day").asText(),
          Figures.count(each.path("decisions")),
          Figures.number(mean),
          SignalTables.interval(each, "interval"),
          Figures.number(each.path("effectiveSampleSize")));
    }
    html.plot(
        "Mean weight per day" + (logger.isEmpty() ? "" : ", decisions of " + logger),
        DayPlot.svg("mean weight per day with 95 % intervals", points, 1),
        table);
  }

  private static String differs(JsonNode day) {
    return day.path("explained").asBoolean() ? "differs as its own propensities say" : "differs";
  }

  private static Table shares(List<JsonNode> days) {
    Table table =
        Table.of(
            "version",
            "day",
            "decisions #",
            "total variation #",
            "stability index #",
            "by chance #",
            "");
    for (JsonNode each : days) {
      boolean refuses = each.path("refuses").asBoolean();
      boolean warns = each.path("warns").asBoolean();
      table.styled(
          refuses ? "refused" : warns ? "doubtful" : "",
          each.path("logger").asText(),
          each.path("day").asText(),
          Figures.count(each.path("decisions")),
          Figures.number(each.path("totalVariation")),
          Figures.number(each.path("stabilityIndex")),
          Figures.number(each.path("chance")),
          refuses ? "another policy" : warns ? differs(each) : "");
    }
    return table;
  }
}
