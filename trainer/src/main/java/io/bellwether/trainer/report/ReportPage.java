package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.Certificate;
import io.bellwether.evaluation.report.Check;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SessionValue;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * An evaluation as one HTML page that needs nothing else: the verdict first, then what it rests on,
 * each plot with its numbers as a table, and how to repeat it.
 */
public final class ReportPage {

  private static final String STYLE =
      """
      body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#1c2733}
      .verdict{padding:1rem;border-radius:.5rem;color:#fff;font-size:1.25rem}
      .pass{background:#1b6e3c}.fail{background:#a3231f}.not-enough-evidence{background:#6b5300}
      table{border-collapse:collapse;margin:.5rem 0 1.5rem;width:100%}
      th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #d5dbe1}
      td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
      .muted{color:#5a6570}svg{max-width:100%;height:auto}
      pre{background:#f0f3f6;padding:.75rem;overflow-x:auto}
      """;

  private final EvaluationRecord record;
  private final OffPolicyReport report;
  private final StringBuilder page = new StringBuilder();

  private ReportPage(EvaluationRecord record) {
    this.record = record;
    this.report = record.report();
  }

  /** The page, UTF-8. */
  public static byte[] of(EvaluationRecord record) {
    return new ReportPage(record).render().getBytes(UTF_8);
  }

  private String render() {
    String verdict = report.verdict().word();
    String title = record.target() + " against the " + record.baseline();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(escaped(verdict + ": " + title))
        .append("</title>\n<style>")
        .append(STYLE)
        .append("</style></head><body>\n");
    page.append("<div class=\"verdict ").append(verdict).append("\"><strong>");
    page.append(escaped(verdict.replace('-', ' '))).append("</strong>: ").append(escaped(title));
    page.append("</div>\n<ul>");
    report.gate().reasons().forEach(this::item);
    record.warnings().forEach(this::item);
    page.append("</ul>\n");
    summary();
    objective();
    constraints();
    perSession();
    weights();
    otherSignals();
    checks();
    findings();
    reproduction();
    return page.append("</body></html>\n").toString();
  }

  private void summary() {
    page.append("<p>")
        .append(report.size().decisions())
        .append(" decisions of ")
        .append(report.size().units())
        .append(" subjects on surface <strong>")
        .append(escaped(record.request().surface().name()))
        .append("</strong>, ")
        .append(record.data().from())
        .append(" to ")
        .append(record.data().to())
        .append(". Effective sample size ")
        .append(number(report.diagnostics().effectiveSampleSize()))
        .append("; ")
        .append(escaped(report.rowsNeeded().words()))
        .append(".</p>\n");
  }

  private void objective() {
    String signal = record.request().surface().objective().signal();
    heading("Objective: " + signal + " per decision");
    page.append(ForestPlot.svg(bars(signal)));
    estimates(signal);
  }

  private List<ForestPlot.Bar> bars(String signal) {
    List<ForestPlot.Bar> bars = new ArrayList<>();
    for (SignalEstimate each : ofSignal(signal)) {
      if (each.estimate().point().isPresent()) {
        double value = each.estimate().point().getAsDouble();
        double low = value;
        double high = value;
        if (each.interval() instanceof Bounds.Within within) {
          low = within.interval().lower();
          high = within.interval().upper();
        }
        bars.add(
            new ForestPlot.Bar(
                each.policy() + " " + each.estimator(),
                value,
                low,
                high,
                each.policy().equals("baseline")));
      }
    }
    return bars;
  }

  private void estimates(String signal) {
    page.append("<table><tr><th>policy</th><th>estimator</th><th class=n>value</th>");
    page.append("<th class=n>standard error</th><th>95 % interval</th><th></th></tr>\n");
    for (SignalEstimate each : ofSignal(signal)) {
      page.append("<tr>");
      cell(each.policy());
      cell(each.estimator());
      figure(each.estimate().point());
      figure(each.estimate().error());
      cell(each.interval().words());
      cell(each.note());
      page.append("</tr>\n");
    }
    EvaluationRecord.LoggedMean logged = record.logged().get(signal);
    if (logged != null) {
      page.append("<tr>");
      cell("logging policy");
      cell("mean of the log");
      figure(number(logged.mean()));
      figure(number(logged.standardError()));
      cell("");
      cell(logged.events() + " decisions with a value; error as if all were independent");
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private List<SignalEstimate> ofSignal(String signal) {
    return report.estimates().stream().filter(each -> each.signal().equals(signal)).toList();
  }

  private void constraints() {
    heading("Promises");
    if (report.constraints().isEmpty()) {
      page.append("<p>The surface declares none.</p>\n");
      return;
    }
    page.append("<table><tr><th>promise</th><th>shown</th><th class=n>margin</th>");
    page.append("<th>interval of the margin</th><th></th></tr>\n");
    for (Certificate each : report.constraints()) {
      page.append("<tr>");
      cell(each.constraint().words());
      cell(each.status().name().toLowerCase(Locale.ROOT));
      figure(each.margin().estimate().point());
      cell(each.margin().bounds().words());
      cell(each.status() == Certificate.Status.UNDECIDED ? each.rowsNeeded().words() : "");
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private void perSession() {
    SessionValues sessions = record.perSession();
    if (sessions.discount() == 0) {
      return;
    }
    heading("Value per session (advisory)");
    page.append("<p>Each step counts ")
        .append(number(sessions.discount()))
        .append(" of the one before; ")
        .append(sessions.sessions())
        .append(" sessions, of which ")
        .append(sessions.cutOff())
        .append(" did not end by themselves. ")
        .append(escaped(reach(sessions)))
        .append(" The verdict rests on values per decision.</p>\n<table><tr><th>signal</th>")
        .append("<th>policy</th><th class=n>value</th><th class=n>standard error</th>")
        .append("<th>95 % interval</th></tr>\n");
    for (SessionValue each : sessions.values()) {
      page.append("<tr>");
      cell(each.signal());
      cell(each.policy());
      figure(each.estimate().point());
      figure(each.estimate().error());
      cell(each.interval().words());
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static String reach(SessionValues sessions) {
    int step = sessions.wornOutFrom();
    return step < 0
        ? "At every step the weights are worth at least 100 sessions."
        : "From step %d on the weights are worth fewer than 100 sessions; a value of which more than 20 %% stands at such steps is not stated, and one of which less does may lie nearer to the log's than it is, beyond its interval."
            .formatted(step);
  }

  private void weights() {
    heading("Importance weights");
    for (int position = 0; position < report.diagnostics().targetWeights().size(); position++) {
      WeightDiagnostics at = report.diagnostics().targetWeights().get(position);
      page.append("<p>Position ")
          .append(position)
          .append(": effective sample size ")
          .append(number(at.effectiveSampleSize()))
          .append(" of ")
          .append(at.decisions())
          .append(", mean weight ")
          .append(number(at.meanWeight()))
          .append(", largest ")
          .append(number(at.largest()))
          .append(" (")
          .append(number(100 * at.largestShare()))
          .append(" % of all weight).</p>\n");
      page.append(WeightHistogram.svg(at));
      weightTable(at);
    }
  }

  private void weightTable(WeightDiagnostics weights) {
    page.append("<table><tr><th>weight</th><th class=n>decisions</th></tr>\n");
    List<String> labels = WeightHistogram.labels();
    List<Long> counts = WeightHistogram.counts(weights);
    for (int i = 0; i < labels.size(); i++) {
      page.append("<tr>");
      cell(labels.get(i));
      figure(Long.toString(counts.get(i)));
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private void otherSignals() {
    String objective = record.request().surface().objective().signal();
    report.estimates().stream()
        .map(SignalEstimate::signal)
        .distinct()
        .filter(signal -> !signal.equals(objective))
        .forEach(
            signal -> {
              heading("Signal: " + signal + " per decision");
              page.append(ForestPlot.svg(bars(signal)));
              estimates(signal);
            });
  }

  private void checks() {
    heading("Checks");
    page.append("<table><tr><th>check</th><th class=n>found</th><th class=n>limit</th>");
    page.append("<th>result</th></tr>\n");
    for (Check each : report.diagnostics().checks()) {
      page.append("<tr>");
      cell(each.name());
      figure(number(each.observed()));
      figure(number(each.limit()));
      cell(each.status().name().toLowerCase(Locale.ROOT).replace('_', ' '));
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private void findings() {
    heading("Data");
    page.append("<p>").append(record.data().read()).append(" transitions read; ");
    page.append(escaped(record.request().subjects().words())).append(".</p>\n<ul>");
    new TreeMap<>(record.data().findings())
        .forEach((finding, count) -> item(count + " " + finding.words()));
    report.validation().forEach(finding -> item(finding.words()));
    page.append("</ul>\n");
  }

  private void reproduction() {
    heading("How to repeat this");
    EvaluationRequest request = record.request();
    page.append("<pre>")
        .append(
            escaped(
                """
                target   %s
                baseline %s
                data     %s
                         sha256 %s
                surface  %s, sha256 %s
                alpha    %s   minimal lift %s   primary estimator %s
                model    %d steps per fold, seed %d
                code     %s   made %s
                """
                    .formatted(
                        record.target(),
                        record.baseline(),
                        request.source().words(),
                        record.data().digest(),
                        request.surface().name(),
                        request.surface().digest(),
                        request.alpha(),
                        request.minLift(),
                        report.terms().primary(),
                        request.modelSteps(),
                        request.seed(),
                        record.codeVersion(),
                        record.at())))
        .append("</pre>\n");
  }

  private void heading(String text) {
    page.append("<h2>").append(escaped(text)).append("</h2>\n");
  }

  private void item(String text) {
    page.append("<li>").append(escaped(text)).append("</li>");
  }

  private void cell(String text) {
    page.append("<td>").append(escaped(text)).append("</td>");
  }

  private void figure(String text) {
    page.append("<td class=n>").append(escaped(text)).append("</td>");
  }

  private void figure(OptionalDouble value) {
    figure(value.isPresent() ? number(value.getAsDouble()) : "–");
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
