package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How amounts per decision would be spread: distribution, quantiles, and the mean of the worst. */
final class DistributionSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    List<JsonNode> all =
        report.list("distributions").stream().filter(each -> !each.path("cdf").isEmpty()).toList();
    if (all.isEmpty()) {
      return;
    }
    Section.heading(html, "distribution", "Beyond the mean");
    html.raw("<div class=\"plots\">\n");
    all.forEach(each -> plot(each, html));
    html.raw("</div>\n");
    all.forEach(each -> tables(each, html));
  }

  private static void plot(JsonNode distribution, Html html) {
    List<JsonNode> grid = StoredReport.list(distribution.path("cdf"), every -> true);
    List<double[]> steps = new ArrayList<>();
    double before = 0;
    for (JsonNode each : grid) {
      double value = each.path("value").asDouble();
      steps.add(new double[] {value, before});
      before = each.path("probability").asDouble();
      steps.add(new double[] {value, before});
    }
    double[] x = steps.stream().mapToDouble(step -> step[0]).toArray();
    double[] y = steps.stream().mapToDouble(step -> step[1]).toArray();
    Table table = Table.of("amount #", "share of decisions with at most that #", "error #");
    for (JsonNode each : grid) {
      table.row(
          Figures.number(each.path("value")),
          Figures.number(each.path("probability")),
          Figures.number(each.path("se")));
    }
    String signal = distribution.path("signal").asText();
    html.plot(
        "Share of decisions with at most so much " + signal,
        LinePlot.svg(
            "distribution of " + signal,
            List.of(LinePlot.Line.of(signal, x, y, "main")),
            List.of(),
            signal + " per decision"),
        table);
  }

  private static void tables(JsonNode distribution, Html html) {
    Table table = Table.of("", "value #", "95 % interval");
    for (JsonNode each : distribution.path("quantiles")) {
      table.row(
          Figures.percent(each.path("probability").asDouble()) + " of decisions have at most",
          Figures.number(each.path("value")),
          SignalTables.interval(each, "interval"));
    }
    for (JsonNode each : distribution.path("cvar")) {
      table.row(
          "mean of the %s %s"
              .formatted(each.path("end").asText(), Figures.percent(each.path("share").asDouble())),
          Figures.number(each.path("value")),
          SignalTables.interval(each, "interval"));
    }
    html.raw("<h3>").raw(Html.escaped(distribution.path("signal").asText())).raw("</h3>\n");
    html.table(table);
  }
}
