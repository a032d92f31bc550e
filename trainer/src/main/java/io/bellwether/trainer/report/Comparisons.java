package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Paired differences to other policies, as lines of a forest plot and as a table. */
final class Comparisons {

  private Comparisons() {}

  static List<ForestPlot.Line> lines(List<JsonNode> comparisons) {
    List<ForestPlot.Line> lines = new ArrayList<>();
    for (JsonNode each : comparisons) {
      String label = label(each);
      JsonNode difference = each.path("difference");
      if (!difference.path("value").isNumber()) {
        lines.add(ForestPlot.Line.none(label, difference.path("reason").asText("no value")));
        continue;
      }
      double value = difference.path("value").doubleValue();
      JsonNode interval = each.path("interval");
      lines.add(
          ForestPlot.Line.value(
              label,
              value,
              interval.path("lower").asDouble(value),
              interval.path("upper").asDouble(value),
              "main"));
    }
    return lines;
  }

  private static String label(JsonNode comparison) {
    String against = comparison.path("against").asText("");
    return comparison.path("estimator").asText()
        + (against.isEmpty() ? "" : " against " + words(against));
  }

  private static String words(String against) {
    return against.equals("logging") ? "the logging policy" : "the champion";
  }

  static Table table(List<JsonNode> comparisons) {
    Table table =
        Table.of(
            "signal",
            "estimator",
            "against",
            "difference #",
            "standard error #",
            "95 % interval",
            "interval that holds with all others",
            "relative lift #",
            "95 % interval of the lift");
    for (JsonNode each : comparisons) {
      JsonNode difference = each.path("difference");
      table.styled(
          difference.path("value").isNumber() ? "" : "refused",
          each.path("signal").asText(),
          each.path("estimator").asText(),
          words(each.path("against").asText("")),
          Figures.number(difference.path("value")),
          Figures.number(difference.path("se")),
          SignalTables.interval(each, "interval"),
          SignalTables.interval(each, "simultaneousInterval"),
          Figures.number(each.path("relativeLift").path("value")),
          SignalTables.interval(each, "liftInterval"));
    }
    return table;
  }
}
