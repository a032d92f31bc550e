package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How much each decision counts: histogram, running value, and the decisions that count most. */
final class WeightSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Section.heading(html, "weights", "Importance weights");
    html.paragraph(
        "Each decision counts by how much more likely the evaluated policy would have been to make"
            + " it. The effective sample size says how many unweighted decisions that is worth: "
            + Figures.number(report.diagnostics("effectiveSampleSize"))
            + " here.");
    html.raw("<div class=\"plots\">\n");
    histograms(report, "targetWeights", "policy", html);
    histograms(report, "baselineWeights", "baseline", html);
    cumulative(report, html);
    html.raw("</div>\n");
    largest(report, html);
  }

  private static void histograms(StoredReport report, String field, String who, Html html) {
    int position = 0;
    for (JsonNode weights : report.diagnostics(field)) {
      String caption =
          "Weights of the %s at position %d: worth %s of %s decisions, mean %s, largest %s (%s of all weight)"
              .formatted(
                  who,
                  position++,
                  Figures.number(weights.path("effectiveSampleSize")),
                  Figures.count(weights.path("decisions")),
                  Figures.number(weights.path("mean")),
                  Figures.number(weights.path("largest")),
                  Figures.percent(weights.path("largestShare").asDouble()));
      Table table = WeightHistogram.table(weights);
      table.row("median", Figures.number(weights.path("median")));
      table.row("90 % are at most", Figures.number(weights.path("ninetiethPercentile")));
      table.row("99 % are at most", Figures.number(weights.path("ninetyNinthPercentile")));
      table.row(
          "95 % interval of the mean",
          Figures.number(weights.path("meanLower"))
              + " to "
              + Figures.number(weights.path("meanUpper")));
      table.row(
          "share of the largest 1 %", Figures.percent(weights.path("topPercentShare").asDouble()));
      html.plot(caption, WeightHistogram.svg("decisions by weight", weights), table);
    }
  }

  private static void cumulative(StoredReport report, Html html) {
    List<JsonNode> points = StoredReport.list(report.diagnostics("cumulative"), all -> true);
    if (points.size() < 2) {
      return;
    }
    double[] decisions = numbers(points, "decisions");
    Table table = Table.of("decisions #", "value #", "mean weight #");
    for (JsonNode each : points) {
      table.row(
          Figures.count(each.path("decisions")),
          Figures.number(each.path("value")),
          Figures.number(each.path("meanWeight")));
    }
    html.plot(
        "Value of " + report.objective() + " as the log grows; a jump is one decision's doing",
        LinePlot.svg(
            "value against decisions",
            List.of(LinePlot.Line.of("value", decisions, numbers(points, "value"), "main")),
            SignalTables.marks(report, report.objective()),
            "decisions"),
        table);
    html.plot(
        "Mean weight as the log grows; it settles at 1 where propensities are right",
        LinePlot.svg(
            "mean weight against decisions",
            List.of(
                LinePlot.Line.of("mean weight", decisions, numbers(points, "meanWeight"), "main")),
            List.of(1.0),
            "decisions"),
        table);
  }

  static double[] numbers(List<JsonNode> nodes, String field) {
    return nodes.stream().mapToDouble(each -> each.path(field).asDouble()).toArray();
  }

  private static void largest(StoredReport report, Html html) {
    List<JsonNode> heavy = new ArrayList<>();
    report.diagnostics("largestWeights").forEach(heavy::add);
    if (heavy.isEmpty()) {
      return;
    }
    Table table =
        Table.of(
            "decision",
            "weight #",
            "share of all weight #",
            "policy's chance #",
            "logged chance #",
            report.objective() + " #");
    for (JsonNode each : heavy) {
      table.row(
          each.path("decisionId").asText(each.path("decision").asText()),
          Figures.number(each.path("weight")),
          Figures.percent(each.path("share").asDouble()),
          Figures.number(each.path("target")),
          Figures.number(each.path("logging")),
          Figures.number(each.path("reward")));
    }
    html.folded("The " + heavy.size() + " decisions that count most", table);
  }
}
