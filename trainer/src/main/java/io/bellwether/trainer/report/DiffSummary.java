package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.report.ReportDiff.Change;
import io.bellwether.trainer.report.ReportDiff.Part;
import java.util.ArrayList;
import java.util.List;

/** The few sentences that say why two reports differ. */
record DiffSummary(StoredReport first, StoredReport second, List<Change> changes) {

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add(verdict());
    if (!first.target().equals(second.target())) {
      sentences.add(
          "They are about different policies: %s and %s."
              .formatted(first.target(), second.target()));
    }
    sentences.add(data());
    sentences.add(plan());
    effect(sentences);
    return sentences;
  }

  private String verdict() {
    if (!first.verdict().equals(second.verdict())) {
      return "The verdict changes from %s to %s."
          .formatted(Figures.words(first.verdict()), Figures.words(second.verdict()));
    }
    return first.code().equals(second.code())
        ? "The verdict is the same: " + Figures.words(first.verdict()) + "."
        : "The verdict is the same, %s, for another reason: %s, then %s."
            .formatted(
                Figures.words(first.verdict()),
                Figures.words(first.code()),
                Figures.words(second.code()));
  }

  private String data() {
    if (first.data("sha256").asText("").equals(second.data("sha256").asText("-"))) {
      return "Both rest on the same data, to the byte.";
    }
    List<String> parts = new ArrayList<>();
    if (!first.data("asOf").equals(second.data("asOf"))) {
      parts.add(
          "as known at %s and at %s"
              .formatted(first.data("asOf").asText("?"), second.data("asOf").asText("?")));
    }
    parts.add(more("decisions", "decisions"));
    parts.add(more("restated", "decisions restated by late outcomes"));
    return "The data differs: " + String.join(", ", parts) + ".";
  }

  private String more(String field, String words) {
    long change = second.data(field).asLong() - first.data(field).asLong();
    if (change == 0) {
      return "as many " + words;
    }
    return "%s %s %s"
        .formatted(Figures.count(Math.abs(change)), change > 0 ? "more" : "fewer", words);
  }

  private String plan() {
    List<String> asked =
        changes.stream()
            .filter(each -> each.part() == Part.PLAN && !each.what().equals("target"))
            .map(Change::what)
            .toList();
    return asked.isEmpty()
        ? "The same was asked of both."
        : "Not the same was asked: " + String.join(", ", asked) + ".";
  }

  private void effect(List<String> sentences) {
    String signal = second.objective();
    JsonNode before = difference(first, signal);
    JsonNode after = difference(second, signal);
    if (before.isNumber() && after.isNumber()) {
      sentences.add(
          "%s per decision against the baseline: %s, then %s."
              .formatted(
                  signal,
                  Figures.signed(before.doubleValue()),
                  Figures.signed(after.doubleValue())));
    }
  }

  private static JsonNode difference(StoredReport report, String signal) {
    return report
        .comparison(signal)
        .map(each -> each.path("difference").path("value"))
        .orElse(StoredReport.NOTHING);
  }
}
