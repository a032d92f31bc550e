package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How cuts and shrinkages were chosen, and which estimator would have been closest. */
final class TuningSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    List<JsonNode> families = report.list("tuning");
    JsonNode choice = report.root().path("choice");
    if (families.isEmpty() && choice.path("ranked").isEmpty()) {
      return;
    }
    Section.heading(html, "tuning", "Cuts, shrinkage and the choice of estimator");
    html.paragraph(
        "A cut trades a known bias for less variance. None of these values decides; the value"
            + " without a cut stands beside each.");
    html.raw("<div class=\"plots\">\n");
    families.forEach(each -> family(each, html));
    html.raw("</div>\n");
    choice(choice, html);
  }

  private static void family(JsonNode family, Html html) {
    List<JsonNode> candidates = StoredReport.list(family.path("candidates"), all -> true);
    String selected = family.path("selected").asText();
    List<ForestPlot.Line> lines = new ArrayList<>();
    Table table =
        Table.of("cut", "value #", "standard error #", "estimated bias #", "mean squared error #");
    for (JsonNode each : candidates) {
      String parameter = each.path("parameter").asText();
      double value = each.path("value").asDouble();
      double reach = 1.96 * each.path("se").asDouble();
      boolean chosen = parameter.equals(selected);
      lines.add(
          ForestPlot.Line.value(
              parameter + (chosen ? " (chosen)" : ""),
              value,
              value - reach,
              value + reach,
              chosen ? "main" : "base"));
      table.styled(
          chosen ? "chosen" : "",
          parameter,
          Figures.number(each.path("value")),
          Figures.number(each.path("se")),
          Figures.number(each.path("estimatedBias")),
          Figures.number(each.path("meanSquaredError")));
    }
    double unlimited = family.path("unlimited").path("value").asDouble();
    html.plot(
        "%s of %s by its cut: %s by %s, %s by SLOPE; the dashed line is the value without a cut"
            .formatted(
                family.path("family").asText(),
                family.path("signal").asText(),
                selected,
                family.path("method").asText(),
                family.path("selectedBySlope").asText()),
        ForestPlot.svg("values by cut", lines, List.of(unlimited)),
        table);
  }

  private static void choice(JsonNode choice, Html html) {
    if (choice.path("ranked").isEmpty()) {
      return;
    }
    Table table = Table.of("estimator", "mean squared error #");
    for (JsonNode each : choice.path("ranked")) {
      table.row(each.path("estimator").asText(), Figures.number(each.path("meanSquaredError")));
    }
    html.paragraph(
        "Which estimator would have been closest on %s pseudo-evaluations made of this log: %s. Advisory: the one that decides is fixed beforehand."
            .formatted(choice.path("splits").asText(), choice.path("selected").asText("none")));
    html.folded("The estimators' errors there", table);
  }
}
