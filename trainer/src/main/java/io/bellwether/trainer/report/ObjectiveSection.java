package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The objective under every estimator, and the paired differences. */
final class ObjectiveSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    String signal = report.objective();
    Section.heading(html, "objective", "Objective: " + signal + " per decision");
    List<JsonNode> estimates = report.overall(signal);
    html.raw("<div class=\"plots\">\n");
    html.plot(
        "Value by estimator; the dashed line is the baseline's",
        ForestPlot.svg(
            "values of " + signal + " by estimator with 95 % intervals",
            SignalTables.lines(estimates),
            SignalTables.marks(report, signal)),
        SignalTables.table(report, signal, estimates));
    differences(report, signal, html);
    html.raw("</div>\n");
    Table intervals = SignalTables.intervals(estimates);
    if (!intervals.rows().isEmpty()) {
      html.folded("The same values under other interval methods", intervals);
    }
    sampleSize(report, html);
  }

  private static void differences(StoredReport report, String signal, Html html) {
    List<JsonNode> comparisons =
        report.list("comparisons").stream()
            .filter(each -> StoredReport.is(each, "signal", signal))
            .toList();
    if (comparisons.isEmpty()) {
      return;
    }
    html.plot(
        "Difference on the same decisions; the dashed line is no difference",
        ForestPlot.svg(
            "differences in " + signal + " with 95 % intervals",
            Comparisons.lines(comparisons),
            List.of(0.0)),
        Comparisons.table(comparisons));
  }

  private static void sampleSize(StoredReport report, Html html) {
    JsonNode size = report.root().path("sampleSize");
    if (!size.path("decisions").isNumber()) {
      return;
    }
    StringBuilder words = new StringBuilder("Is the log long enough? About ");
    words.append(Figures.count(size.path("decisions"))).append(" decisions show a difference of ");
    words.append(Figures.number(size.path("effect"))).append(" four times in five");
    if (size.path("power").isNumber()) {
      words.append("; this log would show it with a chance of ");
      words.append(Figures.percent(size.path("power").doubleValue()));
    }
    if (size.at("/observed/decisions").isNumber()) {
      words.append(". Were the difference that was measured real, about ");
      words.append(Figures.count(size.at("/observed/decisions"))).append(" would show it");
    }
    html.paragraph(words.append('.').toString());
  }
}
