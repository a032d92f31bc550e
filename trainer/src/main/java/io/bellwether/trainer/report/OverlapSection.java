package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which items the policy would show, and how well the log knows them; whether chances are right.
 */
final class OverlapSection implements Section {

  /** More bars than this nobody reads; the table has all. */
  private static final int BARS = 15;

  @Override
  public void write(StoredReport report, Html html) {
    JsonNode support = report.diagnostics("support");
    if (support.path("used").asLong() == 0) {
      return;
    }
    Section.heading(html, "overlap", "Overlap and propensities");
    html.paragraph(
        "Of the first position, where the chances of all candidates are known: %s decisions. %s of what the policy would show, the logging policy never shows."
            .formatted(
                Figures.count(support.path("used")),
                Figures.percent(support.path("unsupportedMass").asDouble())));
    html.raw("<div class=\"plots\">\n");
    actions(support, html);
    reliability(support, html);
    html.raw("</div>\n");
    html.paragraph(calibration(support.path("calibration")));
  }

  private static void actions(JsonNode support, Html html) {
    List<JsonNode> actions = StoredReport.list(support.path("actions"), all -> true);
    double decisions = Math.max(1, support.path("used").asDouble());
    List<PairedBars.Pair> bars =
        actions.stream()
            .sorted(
                Comparator.comparingDouble((JsonNode each) -> -each.path("targetMass").asDouble()))
            .limit(BARS)
            .map(
                each ->
                    new PairedBars.Pair(
                        each.path("item").asText(),
                        each.path("targetMass").asDouble() / decisions,
                        each.path("loggingMass").asDouble() / decisions,
                        each.path("warns").asBoolean()))
            .toList();
    Table table =
        Table.of(
            "item",
            "shown #",
            "policy's share #",
            "logged share #",
            "mean weight #",
            "effective sample size #",
            "smallest chance #");
    for (JsonNode each : actions) {
      table.styled(
          each.path("warns").asBoolean() ? "doubtful" : "",
          each.path("item").asText(),
          Figures.count(each.path("shown")),
          Figures.percent(each.path("targetMass").asDouble() / decisions),
          Figures.percent(each.path("loggingMass").asDouble() / decisions),
          Figures.number(each.path("meanWeight")),
          Figures.number(each.path("effectiveSampleSize")),
          Figures.number(each.path("smallestPropensity")));
    }
    html.plot(
        "What is shown, by item"
            + (actions.size() > BARS ? ", the " + BARS + " most frequent" : ""),
        PairedBars.svg("shares of items", "evaluated policy", "logging policy", bars),
        table);
  }

  private static void reliability(JsonNode support, Html html) {
    List<ReliabilityPlot.Point> points = new ArrayList<>();
    Table table =
        Table.of("propensity", "candidates #", "mean propensity #", "share shown #", "z #");
    for (JsonNode bin : support.path("propensityBins")) {
      double candidates = bin.path("candidates").asDouble();
      if (candidates == 0) {
        continue;
      }
      double mean = bin.path("meanPropensity").asDouble();
      points.add(
          new ReliabilityPlot.Point(
              mean,
              bin.path("observedShare").asDouble(),
              Math.sqrt(mean * (1 - mean) / candidates)));
      table.styled(
          bin.path("warns").asBoolean() ? "doubtful" : "",
          Figures.number(bin.path("lower")) + " to " + Figures.number(bin.path("upper")),
          Figures.count(bin.path("candidates")),
          Figures.number(mean),
          Figures.number(bin.path("observedShare")),
          Figures.number(bin.path("z")));
    }
    if (!points.isEmpty()) {
      html.plot(
          "How often items were shown against their logged chance",
          ReliabilityPlot.svg(
              "reliability of the logged propensities", points, "logged propensity"),
          table);
    }
  }

  private static String calibration(JsonNode calibration) {
    if (!calibration.path("pValue").isNumber()) {
      return "Whether items were shown as often as their chances say was not tested ("
          + calibration.path("reason").asText("")
          + ").";
    }
    double p = calibration.path("pValue").doubleValue();
    return "Shown as often as their chances say? χ² = %s with %s degrees of freedom, p = %s; shares differ by %s in total. %s"
        .formatted(
            Figures.number(calibration.path("statistic")),
            Figures.count(calibration.path("degreesOfFreedom")),
            Figures.number(p),
            Figures.percent(calibration.path("totalVariation").asDouble()),
            p < 0.01 ? "Chance alone hardly explains that." : "Chance explains that.");
  }
}
