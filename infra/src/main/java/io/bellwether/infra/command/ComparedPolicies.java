package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.interval.MultipleComparisons;
import io.bellwether.evaluation.interval.StudentT;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Several policies compared with one baseline, so that trying many does not make one of them look
 * good by chance.
 *
 * <p>Each report was made at {@code alpha / count}, so that its intervals hold together with those
 * of the others. A policy passes where its own report does; or where Holm's step-down test shows
 * its objective to be better (which is never weaker), nothing else keeps it from passing, and a
 * normal approximation holds.
 *
 * <p>Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
 *
 * @param alpha of the whole family
 */
record ComparedPolicies(double alpha, List<JsonNode> reports) {

  /** Below it bounds come from a sequence that has no p-value. */
  private static final double NORMAL_EFFECTIVE_SAMPLE_SIZE = 1000;

  ComparedPolicies {
    reports = List.copyOf(reports);
  }

  /** One policy's outcome. */
  record Outcome(JsonNode report, double p, double adjusted, String verdict) {}

  List<Outcome> outcomes() {
    double[] p = reports.stream().mapToDouble(ComparedPolicies::p).toArray();
    double[] adjusted = MultipleComparisons.HOLM.adjust(p);
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < reports.size(); i++) {
      JsonNode report = reports.get(i);
      double share = alpha / (1 + report.path("constraints").size());
      boolean better = adjusted[i] <= share && mayPass(report);
      String own = report.path("verdict").asText();
      outcomes.add(new Outcome(report, p[i], adjusted[i], better ? "pass" : own));
    }
    return outcomes;
  }

  /** One-sided, that the difference is not above the lift asked for; 1 where nothing is known. */
  private static double p(JsonNode report) {
    JsonNode comparison = comparison(report);
    double lift = report.at("/meta/minLift").asDouble(0);
    JsonNode difference = comparison.path(lift == 0 ? "difference" : "relativeLift");
    double error = difference.path("se").asDouble(0);
    if (!difference.path("value").isNumber() || !(error > 0)) {
      return 1;
    }
    double units = difference.path("units").asDouble(2);
    double t = (difference.path("value").doubleValue() - lift) / error;
    return 1 - StudentT.cumulative(t, Math.max(1, units - 1));
  }

  private static JsonNode comparison(JsonNode report) {
    String signal = report.at("/meta/objective/signal").asText();
    String primary = report.at("/meta/primary").asText();
    String against =
        report.at("/meta/baseline").asText().equals("logging policy") ? "logging" : "champion";
    for (JsonNode each : report.path("comparisons")) {
      if (each.path("signal").asText().equals(signal)
          && each.path("estimator").asText().equals(primary)
          && each.path("against").asText().equals(against)) {
        return each;
      }
    }
    return report.path("none");
  }

  /** Whether only the objective may be lacking. */
  private static boolean mayPass(JsonNode report) {
    for (JsonNode each : report.path("constraints")) {
      if (!each.path("status").asText().equals("SATISFIED")) {
        return false;
      }
    }
    for (JsonNode each : report.at("/gate/checks")) {
      String status = each.path("status").asText();
      if (status.equals("REFUSE") || status.equals("BLOCKS_PASS")) {
        return false;
      }
    }
    return !report.at("/gate/code").asText().equals("INSUFFICIENT_SUPPORT")
        && report.at("/diagnostics/effectiveSampleSize").asDouble() >= NORMAL_EFFECTIVE_SAMPLE_SIZE;
  }

  void print(Terminal terminal) {
    terminal.print(
        "%d policies, error probability %s for all of them together (Holm)"
            .formatted(reports.size(), alpha));
    terminal.print(
        String.format(
            Locale.ROOT,
            "  %-16s %12s  %-26s %10s  %s",
            "policy",
            "difference",
            "interval, with the others",
            "adjusted p",
            "verdict"));
    for (Outcome each : outcomes()) {
      JsonNode comparison = comparison(each.report());
      JsonNode interval = comparison.path("simultaneousInterval");
      terminal.print(
          String.format(
              Locale.ROOT,
              "  %-16s %12s  %-26s %10.4g  %s",
              each.report().at("/meta/target").asText(),
              number(comparison.at("/difference/value")),
              interval.path("lower").isNumber()
                  ? number(interval.path("lower")) + " to " + number(interval.path("upper"))
                  : "none",
              each.adjusted(),
              each.verdict()));
    }
  }

  private static String number(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.5g", value.doubleValue()) : "none";
  }

  ObjectNode json() {
    ObjectNode tree = new ObjectMapper().createObjectNode();
    tree.put("alpha", alpha).put("method", MultipleComparisons.HOLM.name());
    ArrayNode policies = tree.putArray("policies");
    for (Outcome each : outcomes()) {
      JsonNode comparison = comparison(each.report());
      ObjectNode policy = policies.addObject();
      policy.put("policy", each.report().at("/meta/target").asText());
      policy.put("verdict", each.verdict());
      policy.put("pValue", each.p());
      policy.put("adjustedPValue", each.adjusted());
      policy.set("comparison", comparison);
      policy.set("report", each.report());
    }
    return tree;
  }

  boolean anyPasses() {
    return outcomes().stream().anyMatch(each -> each.verdict().equals("pass"));
  }
}
