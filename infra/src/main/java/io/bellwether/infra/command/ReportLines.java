package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.report.Answer;
import io.bellwether.trainer.report.StoredReport;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A report as lines for people: the answer in three, then a table; the page and the JSON say more.
 *
 * @param report what they are about
 * @param signals that the table shows beside the objective; empty for all
 */
record ReportLines(StoredReport report, Set<String> signals) {

  ReportLines {
    signals = Set.copyOf(signals);
  }

  /** Refuses names that no signal has: a table without them looks as if there were nothing. */
  static void requireKnown(Set<String> names, Collection<String> known) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw CommandFailed.wrongInput(
            "--signals: there is no signal '" + name + "'.",
            "There are " + String.join(", ", known) + ".");
      }
    }
  }

  void forEach(Consumer<String> lines) {
    Answer.of(report).lines().forEach(lines);
    JsonNode data = report.root().at("/meta/data");
    lines.accept("policy    " + report.target());
    lines.accept("against   " + report.baseline());
    lines.accept(
        "data      %s decisions of %s people, %s"
            .formatted(
                data.path("decisions").asText(),
                data.path("units").asText(),
                data.path("subjects").asText()));
    lines.accept(row("signal", "policy", "estimator", "value", "95 % interval, per decision"));
    report
        .root()
        .path("logged")
        .fields()
        .forEachRemaining(
            each -> {
              if (isShown(each.getKey())) {
                JsonNode mean = each.getValue().path("mean");
                lines.accept(row(each.getKey(), "logged", "mean", number(mean), ""));
              }
            });
    for (JsonNode each : report.root().path("estimates")) {
      if (isShown(each.path("signal").asText()) && isOverall(each)) {
        lines.accept(row(each));
      }
    }
    lines.accept("verdict   " + report.verdict());
    each("/gate/reasons", "  ", lines);
    each("/gate/warnings", "  warning: ", lines);
    if (report.root().at("/gate/approval").asText("").equals("NEEDED")) {
      lines.accept("  it passes with warnings that nobody has signed: --approver NAME");
    }
  }

  private boolean isShown(String signal) {
    String objective = report.root().at("/meta/objective/signal").asText("");
    return signals.isEmpty() || signals.contains(signal) || signal.equals(objective);
  }

  private static boolean isOverall(JsonNode estimate) {
    return List.of("", "ALL").contains(estimate.at("/scope/kind").asText(""));
  }

  private void each(String pointer, String prefix, Consumer<String> lines) {
    report.root().at(pointer).forEach(text -> lines.accept(prefix + text.asText()));
  }

  private static String row(JsonNode estimate) {
    return row(
        estimate.path("signal").asText(),
        estimate.path("policy").asText(),
        estimate.path("estimator").asText(),
        estimate.path("value").isNumber() ? number(estimate.path("value")) : "none",
        interval(estimate));
  }

  private static String row(
      String signal, String policy, String estimator, String value, String interval) {
    return String.format(
            Locale.ROOT, "  %-16s %-9s %-14s %12s  %s", signal, policy, estimator, value, interval)
        .stripTrailing();
  }

  private static String interval(JsonNode estimate) {
    JsonNode interval = estimate.path("interval");
    return interval.path("lower").isNumber()
        ? number(interval.path("lower")) + " to " + number(interval.path("upper"))
        : "none (" + estimate.path("intervalReason").asText("") + ")";
  }

  private static String number(JsonNode value) {
    return String.format(Locale.ROOT, "%.5g", value.doubleValue());
  }
}
