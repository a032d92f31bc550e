package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What is different between two reports: in the data, in what was asked, and in the answer.
 * Immutable.
 *
 * @param first what the first report is called
 * @param second what the second one is called
 * @param summary what matters most, a sentence each
 * @param changes all that differs
 */
public record ReportDiff(String first, String second, List<String> summary, List<Change> changes) {

  /** What a change is about. */
  public enum Part {
    VERDICT("the verdict"),
    DATA("the data"),
    PLAN("what was asked"),
    VALUES("the values"),
    PROMISES("the promises"),
    CHECKS("the checks");

    private final String words;

    Part(String words) {
      this.words = words;
    }
  }

  /**
   * One thing that differs.
   *
   * @param first its value in the first report, a dash where it has none
   * @param second its value in the second one
   * @param change how far apart they are, where they are numbers; otherwise empty
   */
  public record Change(Part part, String what, String first, String second, String change) {}

  public ReportDiff {
    summary = List.copyOf(summary);
    changes = List.copyOf(changes);
  }

  /** Compares two reports, which may be about different policies. */
  public static ReportDiff of(StoredReport first, StoredReport second) {
    List<Change> changes = new ReportChanges(first, second).all();
    return new ReportDiff(
        name(first), name(second), new DiffSummary(first, second, changes).sentences(), changes);
  }

  private static String name(StoredReport report) {
    return report.target() + ", " + report.meta("at").asText();
  }

  /** Of one part. */
  List<Change> in(Part part) {
    return changes.stream().filter(each -> each.part() == part).toList();
  }

  /** As text for a terminal. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("first     " + first);
    lines.add("second    " + second);
    lines.addAll(summary);
    for (Part part : Part.values()) {
      if (!in(part).isEmpty()) {
        lines.add("differences in " + part.words);
        for (Change each : in(part)) {
          lines.add(
              String.format(
                      Locale.ROOT,
                      "  %-36s %-26s %-26s %s",
                      each.what(),
                      each.first(),
                      each.second(),
                      each.change())
                  .stripTrailing());
        }
      }
    }
    return lines;
  }

  /** As JSON with stable keys. */
  public ObjectNode json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("first", first).put("second", second);
    ArrayNode sentences = root.putArray("summary");
    summary.forEach(sentences::add);
    ArrayNode list = root.putArray("changes");
    changes.forEach(
        each ->
            list.addObject()
                .put("part", each.part().name())
                .put("what", each.what())
                .put("first", each.first())
                .put("second", each.second())
                .put("change", each.change()));
    return root;
  }

  /** As a page that needs nothing else, UTF-8. */
  public byte[] page() {
    Html html = new Html();
    html.element("h1", "What differs between two reports");
    html.table(Table.of("", "").row("first", first).row("second", second));
    html.list(summary);
    Stream.of(Part.values())
        .filter(part -> !in(part).isEmpty())
        .forEach(
            part -> {
              html.element("h2", "Differences in " + part.words);
              Table table = Table.of("what", "first", "second", "change #");
              in(part)
                  .forEach(
                      each -> table.row(each.what(), each.first(), each.second(), each.change()));
              html.table(table);
            });
    return PageFrame.around("Two reports compared", html);
  }
}
