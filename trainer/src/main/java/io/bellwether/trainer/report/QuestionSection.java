package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.data.Finding;
import java.util.ArrayList;
import java.util.List;

/** What was asked, and of which data: range, counts, what was left out and why. */
final class QuestionSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Section.heading(html, "question", "What was asked, of which data");
    html.table(question(report));
    html.raw("<h3>Read and left out</h3>\n");
    html.table(counts(report));
    validation(report, html);
  }

  private static Table question(StoredReport report) {
    Table table = Table.of("", "");
    table.row("policy", report.target());
    table.row("compared with", Answer.baseline(report));
    table.row("surface", report.surface());
    table.row("objective", objective(report));
    report.list("constraints").forEach(each -> table.row("promise", each.path("promise").asText()));
    table.row(
        "error probability",
        Figures.number(report.meta("alpha")) + ", shared by objective and promises");
    table.row("deciding estimator", report.primary());
    table.row("decisions made", report.data("from").asText() + " to " + report.data("to").asText());
    if (report.data("asOf").isTextual()) {
      table.row("as known at", report.data("asOf").asText());
    }
    table.row("of whom", report.data("subjects").asText());
    table.row("read from", report.data("source").asText());
    table.row("SHA-256 of the data", report.data("sha256").asText());
    return table;
  }

  private static String objective(StoredReport report) {
    boolean less = report.meta("objective").path("direction").asText("").equals("MINIMIZE");
    double lift = report.meta("minLift").asDouble(0);
    return "%s %s per decision%s"
        .formatted(
            less ? "less" : "more",
            report.objective(),
            lift == 0 ? "" : ", by at least " + Figures.percent(lift) + " of the baseline's");
  }

  private static Table counts(StoredReport report) {
    Table table = Table.of("what", "count #", "share #");
    long read = report.data("read").asLong();
    table.row("transitions read", Figures.count(read), "");
    for (Left left : leftOut(report)) {
      table.row(left.words, Figures.count(left.count), share(left.count, read));
    }
    table.styled(
        "chosen",
        "decisions used",
        Figures.count(report.data("decisions")),
        share(report.data("decisions").asLong(), read));
    table.row("positions of them", Figures.count(report.data("rows")), "");
    table.row("subjects", Figures.count(report.data("units")), "");
    if (report.data("degradedShare").isNumber()) {
      table.row(
          "answered with less than the policy (degraded)",
          Figures.count(total(report.data("degraded"))),
          Figures.percent(report.data("degradedShare").doubleValue()));
      report
          .data("degraded")
          .fields()
          .forEachRemaining(
              each ->
                  table.row(
                      "– because: " + Figures.words(each.getKey()),
                      Figures.count(each.getValue()),
                      ""));
    }
    return table;
  }

  private record Left(String words, long count) {}

  private static List<Left> leftOut(StoredReport report) {
    List<Left> left = new ArrayList<>();
    if (report.data("outOfRange").asLong() > 0) {
      left.add(new Left("– made outside the time range", report.data("outOfRange").asLong()));
    }
    report
        .data("findings")
        .fields()
        .forEachRemaining(
            each -> left.add(new Left("– " + words(each.getKey()), each.getValue().asLong())));
    return left;
  }

  private static String words(String finding) {
    try {
      return Finding.valueOf(finding).words();
    } catch (IllegalArgumentException e) {
      return Figures.words(finding);
    }
  }

  private static long total(JsonNode counts) {
    long total = 0;
    for (JsonNode each : counts) {
      total += each.asLong();
    }
    return total;
  }

  private static String share(long count, long of) {
    return of == 0 ? "" : Figures.percent((double) count / of);
  }

  private static void validation(StoredReport report, Html html) {
    List<JsonNode> findings = new ArrayList<>(report.list("validation"));
    findings.addAll(StoredReport.list(report.diagnostics("support").path("findings"), all -> true));
    if (findings.isEmpty()) {
      html.element("p", "muted", "Validation found nothing to report.");
      return;
    }
    Table table = Table.of("finding", "severity", "column", "count #", "examples");
    for (JsonNode each : findings) {
      String severity = each.path("severity").asText();
      table.styled(
          severity.equals("REFUSE") || severity.equals("ERROR") ? "refused" : "",
          each.path("code").asText(),
          Figures.words(severity),
          each.path("column").asText(""),
          Figures.count(each.path("count")),
          String.join(", ", StoredReport.texts(each.path("examples"))));
    }
    html.raw("<h3>What validation found</h3>\n").table(table);
  }
}
