package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** How a policy and its own data may feed each other, as far as numbers show it. */
record FeedbackEffects(RewardFacts facts) {

  private static final int TOP = 5;

  /** Shares that differ by less are as good as equal. */
  private static final double NOTEWORTHY = 1.1;

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    facts
        .report()
        .ifPresentOrElse(
            report -> {
              loggers(report, sentences);
              concentration(report, sentences);
              support(report, sentences);
              restated(report, sentences);
            },
            () -> sentences.add("No evaluation was kept yet: nothing is known of its effects."));
    if (facts.surface().objective().discount() > 0) {
      sentences.add(
          "It is told to look at whole sessions and judged offline by single decisions, in the"
              + " situations that the logging policy led to; what it does to sessions only an"
              + " experiment shows.");
    }
    sentences.add(
        "What people do after %s is not seen: an effect that takes longer can neither be learned nor measured here."
            .formatted(Durations.words(facts.surface().longestWindow())));
    return sentences;
  }

  private static void loggers(StoredReport report, List<String> sentences) {
    double decisions = report.data("decisions").asDouble();
    if (decisions == 0) {
      return;
    }
    List<Map.Entry<String, JsonNode>> loggers = new ArrayList<>();
    report.data("loggers").fields().forEachRemaining(loggers::add);
    loggers.sort(Comparator.comparingLong(each -> -each.getValue().asLong()));
    for (Map.Entry<String, JsonNode> logger : loggers) {
      String who = logger.getKey().equals(report.target()) ? "this very version" : logger.getKey();
      sentences.add(
          "%s of the decisions that it is judged by were made by %s."
              .formatted(Figures.percent(logger.getValue().asDouble() / decisions), who));
    }
  }

  /** A policy that shows fewer items than its logger leaves less to learn from the others. */
  private static void concentration(StoredReport report, List<String> sentences) {
    List<JsonNode> actions =
        StoredReport.list(report.diagnostics("support").path("actions"), all -> true);
    if (actions.size() <= TOP) {
      return;
    }
    double target = top(actions, "targetMass");
    double logging = top(actions, "loggingMass");
    sentences.add(
        "The %d items that it shows most would take %s of the first positions; the logging policy's %d most shown take %s. It %s."
            .formatted(
                TOP,
                Figures.percent(target),
                TOP,
                Figures.percent(logging),
                target > NOTEWORTHY * logging
                    ? "concentrates, and later versions will learn less of the other items"
                    : "does not concentrate noticeably"));
  }

  private static double top(List<JsonNode> actions, String field) {
    double all = actions.stream().mapToDouble(each -> each.path(field).asDouble()).sum();
    double top =
        actions.stream()
            .map(each -> each.path(field).asDouble())
            .sorted(Comparator.reverseOrder())
            .limit(TOP)
            .mapToDouble(Double::doubleValue)
            .sum();
    return all > 0 ? top / all : 0;
  }

  private static void support(StoredReport report, List<String> sentences) {
    JsonNode mass = report.diagnostics("support").path("unsupportedMass");
    if (mass.isNumber() && mass.doubleValue() > 0) {
      sentences.add(
          "%s of what it would show, the log has never seen: nothing is known of that part."
              .formatted(Figures.percent(mass.doubleValue())));
    }
  }

  private static void restated(StoredReport report, List<String> sentences) {
    double decisions = report.data("decisions").asDouble();
    double restated = report.data("restated").asDouble();
    if (decisions > 0 && restated > 0) {
      sentences.add(
          "%s of the decisions were restated by outcomes that arrived late."
              .formatted(Figures.percent(restated / decisions)));
    }
    double degraded = report.data("degradedShare").asDouble();
    if (degraded > 0) {
      sentences.add(
          "%s of the answers were degraded: given by less than the policy."
              .formatted(Figures.percent(degraded)));
    }
  }
}
