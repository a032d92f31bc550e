package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;

/** The verdict's reasons, and every figure that was held against a limit. */
final class CheckSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Section.heading(html, "verdict", "How the verdict came about");
    html.paragraph(
        "Verdict: " + Figures.words(report.verdict()) + " (" + Figures.words(report.code()) + ").");
    html.list(StoredReport.texts(report.root().at("/gate/reasons")));
    Table table = Table.of("check", "observed #", "limit #", "status");
    for (JsonNode each : report.root().at("/gate/checks")) {
      String status = each.path("status").asText();
      table.styled(
          switch (status) {
            case "REFUSE" -> "refused";
            case "OK" -> "";
            default -> "doubtful";
          },
          each.path("name").asText(),
          Figures.number(each.path("observed")),
          Figures.number(each.path("limit")),
          words(status));
    }
    html.table(table);
  }

  private static String words(String status) {
    return switch (status) {
      case "OK" -> "fine";
      case "WARN" -> "warns";
      case "BLOCKS_PASS" -> "keeps it from passing";
      case "REFUSE" -> "no value decides anything";
      default -> Figures.words(status);
    };
  }
}
