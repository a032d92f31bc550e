package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How well the reward models predict what they have not seen, and how they learned. */
final class ModelSection implements Section {

  private static final List<String> STYLES = List.of("main", "base", "other");

  @Override
  public void write(StoredReport report, Html html) {
    List<JsonNode> models = StoredReport.list(report.diagnostics("models"), all -> true);
    if (models.isEmpty()) {
      return;
    }
    Section.heading(html, "models", "Reward models");
    html.paragraph(
        "Each predicts decisions of people that it has not learned from. A slope of 1 and an"
            + " intercept of 0 are perfect; a poor model costs precision, not correctness, where"
            + " weights correct it.");
    Table table =
        Table.of(
            "signal",
            "rows #",
            "variance explained #",
            "slope #",
            "intercept #",
            "mean predicted #",
            "mean observed #",
            "log loss #");
    for (JsonNode each : models) {
      table.row(
          each.path("signal").asText(),
          Figures.count(each.path("rows")),
          Figures.number(each.path("rSquared")),
          Figures.number(each.path("calibrationSlope")),
          Figures.number(each.path("calibrationIntercept")),
          Figures.number(each.path("meanPredicted")),
          Figures.number(each.path("meanObserved")),
          Figures.number(each.path("logLoss")));
    }
    html.table(table);
    html.raw("<div class=\"plots\">\n");
    models.forEach(each -> reliability(each, html));
    learning(report, html);
    html.raw("</div>\n");
  }

  private static void reliability(JsonNode model, Html html) {
    List<ReliabilityPlot.Point> points = new ArrayList<>();
    Table table = Table.of("rows #", "mean predicted #", "mean observed #", "standard error #");
    for (JsonNode bin : model.path("reliability")) {
      points.add(
          new ReliabilityPlot.Point(
              bin.path("predicted").asDouble(),
              bin.path("observed").asDouble(),
              bin.path("se").asDouble()));
      table.row(
          Figures.count(bin.path("rows")),
          Figures.number(bin.path("predicted")),
          Figures.number(bin.path("observed")),
          Figures.number(bin.path("se")));
    }
    if (!points.isEmpty()) {
      String signal = model.path("signal").asText();
      html.plot(
          "Predicted and observed " + signal + "; on the diagonal both agree",
          ReliabilityPlot.svg("calibration of the model of " + signal, points, "predicted"),
          table);
    }
  }

  private static void learning(StoredReport report, Html html) {
    List<LinePlot.Line> lines = new ArrayList<>();
    Table table = Table.of("fold #", "step #", "loss #");
    for (JsonNode curve : report.diagnostics("learning")) {
      List<JsonNode> points = StoredReport.list(curve.path("points"), all -> true);
      if (points.isEmpty()) {
        continue;
      }
      lines.add(
          LinePlot.Line.of(
              "fold " + curve.path("fold").asText(),
              WeightSection.numbers(points, "step"),
              WeightSection.numbers(points, "loss"),
              STYLES.get(lines.size() % STYLES.size())));
      for (JsonNode point : points) {
        table.row(
            curve.path("fold").asText(),
            Figures.count(point.path("step")),
            Figures.number(point.path("loss")));
      }
    }
    if (!lines.isEmpty()) {
      html.plot(
          "Learning, one line per fold: squared error in units of the signals' variance",
          LinePlot.svg("loss of the reward models against steps", lines, List.of(), "steps"),
          table);
    }
  }
}
