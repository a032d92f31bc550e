package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Constraint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How it is looked after, what has happened to it, and what came of it since its release. */
record MaintenanceChapter(RewardFacts facts, HumanAnswers answers) {

  private static final double Z = 1.96;

  RewardReport.Chapter chapter() {
    return new RewardReport.Chapter(
        "System Maintenance",
        List.of(
            new RewardLines("Reporting cadence").human(answers, HumanField.CADENCE).part(),
            new RewardLines("Update triggers").human(answers, HumanField.TRIGGERS).part(),
            changelog(),
            live()));
  }

  private RewardReport.Part changelog() {
    RewardLines lines = new RewardLines("Changelog");
    facts.history().forEach(entry -> lines.add(entry.line() + "."));
    return lines.part();
  }

  private RewardReport.Part live() {
    RewardLines lines = new RewardLines("Since its release");
    if (facts.released().isEmpty()) {
      return lines.add("It has not been released yet.").part();
    }
    if (!facts.overrides().isEmpty()) {
      lines.add("It got there against the gate: " + String.join("; ", facts.overrides()) + ".");
    }
    if (facts.live().isEmpty()) {
      return lines
          .add(
              "It was released at %s; what came of it was not looked up here, ./bellwether report reward %s does."
                  .formatted(facts.released().get(), facts.version().id()))
          .part();
    }
    LiveValues live = facts.live().get();
    lines.add(
        "%s decisions for %s subjects since %s, whose windows have closed."
            .formatted(
                Figures.count(live.decisions()), Figures.count(live.subjects()), live.since()));
    for (String signal : signals()) {
      Optional.ofNullable(live.values().get(signal))
          .ifPresent(mean -> lines.add(comparison(signal, mean)));
    }
    return lines.part();
  }

  /** The objective, then what is promised. */
  private Set<String> signals() {
    List<String> signals = new ArrayList<>();
    signals.add(facts.surface().objective().signal());
    facts.surface().constraints().stream().map(Constraint::signal).forEach(signals::add);
    return new LinkedHashSet<>(signals);
  }

  private String comparison(String signal, LiveValues.Mean live) {
    String seen =
        "%s per decision: %s, 95 %% interval %s to %s"
            .formatted(
                signal,
                Figures.number(live.mean()),
                Figures.number(live.lower()),
                Figures.number(live.upper()));
    JsonNode predicted =
        facts
            .report()
            .flatMap(report -> report.estimate("target", signal))
            .orElse(StoredReport.NOTHING);
    if (!predicted.path("value").isNumber()) {
      return seen + "; the report predicted no value.";
    }
    return "%s; the report predicted %s, %s. %s"
        .formatted(
            seen,
            Figures.number(predicted.path("value")),
            SignalTables.interval(predicted, "interval"),
            agreement(live, predicted));
  }

  private static String agreement(LiveValues.Mean live, JsonNode predicted) {
    double error = Math.hypot(live.standardError(), predicted.path("se").asDouble(Double.NaN));
    if (!(error > 0)) {
      return "Whether both agree cannot be said.";
    }
    double z = (live.mean() - predicted.path("value").doubleValue()) / error;
    return Math.abs(z) <= Z
        ? "Both agree."
        : "They differ by %s standard errors: the prediction was too %s."
            .formatted(Figures.number(Math.abs(z)), z > 0 ? "low" : "high");
  }
}
