package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** What logged decisions say about the version, and how far they can be trusted. */
record OfflineChapter(RewardFacts facts) {

  RewardReport.Chapter chapter() {
    Optional<StoredReport> report = facts.report();
    if (report.isEmpty()) {
      return new RewardReport.Chapter(
          "Evaluation",
          List.of(
              new RewardLines("Offline results")
                  .add("It was never evaluated: ./bellwether evaluate does.")
                  .part()));
    }
    return new RewardReport.Chapter(
        "Evaluation",
        List.of(
            environment(report.get()),
            results(report.get()),
            validity(report.get()),
            standards(report.get())));
  }

  private static RewardReport.Part environment(StoredReport report) {
    return new RewardLines("Evaluation environment")
        .add(
            "%s logged decisions of %s subjects, made from %s to %s, as known at %s."
                .formatted(
                    Figures.count(report.data("decisions")),
                    Figures.count(report.data("units")),
                    report.data("from").asText(),
                    report.data("to").asText(),
                    report.data("asOf").asText("the time of the report")))
        .add("Of whom: " + report.data("subjects").asText() + ".")
        .part();
  }

  private static RewardReport.Part results(StoredReport report) {
    RewardLines lines = new RewardLines("Offline results").addAll(Answer.of(report).lines());
    report.list("constraints").forEach(each -> lines.add(promise(each)));
    return lines.part();
  }

  private static String promise(JsonNode constraint) {
    return "%s: %s, margin %s, interval %s."
        .formatted(
            constraint.path("promise").asText(),
            PromiseSection.status(constraint.path("status").asText()),
            Figures.number(constraint.path("margin").path("value")),
            SignalTables.interval(constraint, "interval"));
  }

  private static RewardReport.Part validity(StoredReport report) {
    RewardLines lines =
        new RewardLines("Validity")
            .add(
                "The weights are worth %s decisions; the estimator that decides is %s."
                    .formatted(
                        Figures.number(report.diagnostics("effectiveSampleSize")),
                        report.primary()));
    for (JsonNode check : report.root().at("/gate/checks")) {
      if (!StoredReport.is(check, "status", "OK")) {
        lines.add(
            "%s is %s, limit %s (%s)."
                .formatted(
                    check.path("name").asText(),
                    Figures.number(check.path("observed")),
                    Figures.number(check.path("limit")),
                    Figures.words(check.path("status").asText())));
      }
    }
    lines.addAll(StoredReport.texts(report.root().at("/gate/warnings")));
    return lines.part();
  }

  private static RewardReport.Part standards(StoredReport report) {
    return new RewardLines("Standards")
        .add(
            "Error probability %s, shared by the objective and all promises; code %s, seed %s, schema %s."
                .formatted(
                    Figures.number(report.meta("alpha")),
                    report.meta("codeVersion").asText(),
                    report.meta("seed").asText(),
                    report.root().path("schemaVersion").asText()))
        .add("Data SHA-256 " + report.data("sha256").asText() + ".")
        .part();
  }
}
