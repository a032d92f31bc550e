package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How to get the same report again: the command, the seeds, the code and the data's hash. */
final class Reproduction implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Section.heading(html, "repeat", "How to repeat this");
    html.preformatted(command(report));
    Table table = Table.of("", "");
    table.row("seed", report.meta("seed").asText());
    table.row("bootstrap replicates", Figures.count(report.meta("replicates")));
    table.row("steps of each reward model", Figures.count(report.meta("modelSteps")));
    table.row("code", report.meta("codeVersion").asText());
    table.row("surface, SHA-256", report.meta("surfaceDigest").asText());
    table.row("data, SHA-256", report.data("sha256").asText());
    if (report.meta("fingerprint").isTextual()) {
      table.row("fingerprint of all that it follows from", report.meta("fingerprint").asText());
    }
    table.row("schema of the JSON", report.root().path("schemaVersion").asText());
    table.row("made", report.meta("at").asText());
    html.table(table);
    html.element(
        "p",
        "muted",
        "The same code, data and seeds give the same numbers. With --as-of, outcomes that came"
            + " later do not change them.");
  }

  /** The command that gives the same numbers again, in one paragraph. */
  static String command(StoredReport report) {
    List<String> parts = new ArrayList<>();
    parts.add("./bellwether evaluate --policy " + quoted(report.target()));
    parts.add("--surface " + quoted(report.surface()));
    parts.add(
        "--against "
            + (report.baseline().equals("logging policy") ? "logging" : quoted(report.baseline())));
    if (report.data("archive").isTextual()) {
      parts.add("--log " + quoted(report.data("archive").asText()));
    }
    add(parts, "--from", report.data("askedFrom"));
    add(parts, "--to", report.data("askedTo"));
    add(parts, "--as-of", report.data("asOf"));
    add(parts, "--alpha", report.meta("alpha"));
    add(parts, "--min-lift", report.meta("minLift"));
    add(parts, "--repeated", report.meta("plannedUnits"));
    add(parts, "--largest-weight", report.meta("largestWeight"));
    add(parts, "--seed", report.meta("seed"));
    add(parts, "--model-steps", report.meta("modelSteps"));
    add(parts, "--replicates", report.meta("replicates"));
    list(parts, "--estimators", report.meta("estimators"));
    list(parts, "--segments", report.meta("segments"));
    add(parts, "--cluster", report.meta("clusterFeature"));
    return String.join(" \\\n    ", parts);
  }

  private static void add(List<String> parts, String option, JsonNode value) {
    if (!value.isMissingNode() && !value.isNull()) {
      parts.add(option + " " + quoted(value.asText()));
    }
  }

  private static void list(List<String> parts, String option, JsonNode values) {
    if (!values.isEmpty()) {
      parts.add(option + " " + quoted(String.join(",", StoredReport.texts(values))));
    }
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:@%+,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
