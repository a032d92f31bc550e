package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The values of every other signal, and of every signal by position. */
final class OtherSignalsSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    List<String> others =
        report.signals().stream().filter(each -> !each.equals(report.objective())).toList();
    List<JsonNode> positions =
        report.signals().stream().flatMap(each -> report.byPosition(each).stream()).toList();
    if (others.isEmpty() && positions.isEmpty()) {
      return;
    }
    Section.heading(html, "signals", "Other signals, and positions");
    html.raw("<div class=\"plots\">\n");
    for (String signal : others) {
      List<JsonNode> estimates = report.overall(signal);
      html.plot(
          signal + " per decision",
          ForestPlot.svg(
              "values of " + signal + " by estimator",
              SignalTables.lines(estimates),
              SignalTables.marks(report, signal)),
          SignalTables.table(report, signal, estimates));
    }
    for (String signal : report.signals()) {
      List<JsonNode> estimates = report.byPosition(signal);
      if (!estimates.isEmpty()) {
        html.plot(
            signal + " by position of the slate",
            ForestPlot.svg(
                "values of " + signal + " by position", SignalTables.lines(estimates), List.of()),
            SignalTables.table(report, "", estimates));
      }
    }
    html.raw("</div>\n");
  }
}
