package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Values in the segments that were declared beforehand. Exploratory. */
final class SegmentSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    List<JsonNode> tables = report.list("segments");
    if (tables.isEmpty()) {
      return;
    }
    Section.heading(html, "segments", "Segments (exploratory)");
    html.paragraph(
        "Declared before anybody looked; they decide nothing. A value that rests on fewer than 100"
            + " effective decisions is not stated.");
    html.raw("<div class=\"plots\">\n");
    tables.forEach(each -> table(each, html));
    html.raw("</div>\n");
  }

  private static void table(JsonNode segments, Html html) {
    List<ForestPlot.Line> lines = new ArrayList<>();
    Table table =
        Table.of(
            segments.path("dimension").asText(),
            "decisions #",
            "effective sample size #",
            "mean weight #",
            "value #",
            "95 % interval",
            "logged #",
            "");
    for (JsonNode row : segments.path("rows")) {
      String label = row.path("label").asText();
      boolean stated = row.path("value").isNumber();
      double value = row.path("value").asDouble();
      lines.add(
          stated
              ? ForestPlot.Line.value(
                  label,
                  value,
                  row.path("interval").path("lower").asDouble(value),
                  row.path("interval").path("upper").asDouble(value),
                  "main")
              : ForestPlot.Line.none(label, row.path("reason").asText("")));
      table.styled(
          stated ? "" : "refused",
          label,
          Figures.count(row.path("decisions")),
          Figures.number(row.path("effectiveSampleSize")),
          Figures.number(row.path("meanWeight")),
          Figures.number(row.path("value")),
          SignalTables.interval(row, "interval"),
          Figures.number(row.path("logged").path("value")),
          row.path("reason").asText(""));
    }
    JsonNode differ = segments.path("heterogeneity");
    String caption =
        segments.path("signal").asText() + " by " + segments.path("dimension").asText();
    if (differ.path("groups").asInt() > 1) {
      caption +=
          "; do they differ? Q = %s, p = %s"
              .formatted(Figures.number(differ.path("q")), Figures.number(differ.path("pValue")));
    }
    html.plot(caption, ForestPlot.svg(caption, lines, List.of()), table);
  }
}
