package io.bellwether.infra.command;

import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.trainer.gate.EvaluationRecord;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * An evaluation as lines for people; the page and the JSON say more.
 *
 * @param record what they are about
 */
record ReportLines(EvaluationRecord record) {

  void forEach(Consumer<String> lines) {
    OffPolicyReport report = record.report();
    lines.accept("policy    " + record.target());
    lines.accept("against   " + record.baseline());
    lines.accept(
        "data      %d decisions of %d people, %s"
            .formatted(
                report.size().decisions(),
                report.size().units(),
                record.request().subjects().words()));
    lines.accept(
        row("signal", "policy", "estimator", "value", "95 % interval, per decision")
            .stripTrailing());
    record
        .logged()
        .forEach(
            (signal, mean) ->
                lines.accept(
                    row(signal, "logged", "mean", number(mean.mean()), "").stripTrailing()));
    report.estimates().forEach(estimate -> lines.accept(row(estimate)));
    lines.accept("verdict   " + report.verdict().word());
    report.gate().reasons().forEach(reason -> lines.accept("  " + reason));
    report.gate().warnings().forEach(warning -> lines.accept("  warning: " + warning));
  }

  private static String row(SignalEstimate estimate) {
    OptionalDouble point = estimate.estimate().point();
    return row(
        estimate.signal(),
        estimate.policy(),
        estimate.estimator(),
        point.isPresent() ? number(point.getAsDouble()) : "none",
        interval(estimate.interval()));
  }

  private static String row(
      String signal, String policy, String estimator, String value, String interval) {
    return String.format(
        Locale.ROOT, "  %-16s %-9s %-10s %12s  %s", signal, policy, estimator, value, interval);
  }

  private static String interval(Bounds bounds) {
    if (bounds instanceof Bounds.Within within) {
      return number(within.interval().lower()) + " to " + number(within.interval().upper());
    }
    return bounds.words();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.5g", value);
  }
}
