package io.bellwether.loadtest.experiment;

import io.bellwether.loadtest.evaluation.Requirement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final StringBuilder text = new StringBuilder();
  private final ExperimentResult result;

  private ResultPage(ExperimentResult result) {
    this.result = result;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(ExperimentResult result, String command, Map<String, String> machine) {
    return new ResultPage(result).page(command, machine);
  }

  private String page(String command, Map<String, String> machine) {
    line("# How far experiments can be trusted");
    line("");
    line("Made by `%s` in %.0f s, seed %d.", command, result.seconds(), result.seed());
    line("");
    machine.forEach((name, value) -> line("- %s: %s", name, value));
    heading("What it has to show");
    row("", "found", "required", "");
    rule(4);
    for (Requirement each : result.requirements()) {
      row(each.name(), each.observed(), each.required(), each.status().words());
    }
    simulated();
    for (int round = 0; round < result.live().size(); round++) {
      live(round + 1, result.live().get(round));
    }
    return text.toString();
  }

  private void simulated() {
    heading("Simulated experiments");
    line(
        "%,d experiments each, looked at %d times (every minute) by the code that reads live ones.",
        result.extent().experiments(), result.extent().minutes());
    line("Units are skewed: three in four have nothing, the others exponential values.");
    line("");
    row("", "says they differ", "holds the truth", "split alarm", "taken back");
    rule(5);
    study("no effect", result.same());
    study("an effect", result.different());
    study("split 52 to 48", result.uneven());
    line("");
    line(
        "Adjusting by the pre-period (correlation %.1f) leaves %.3f of the variance; bias %.5f,"
            + " one",
        CovariateStudy.CORRELATION, result.covariate().varianceFactor(), result.covariate().bias());
    line("standard error %.5f.", result.covariate().biasError());
    line(
        "Interleaving tells %.1f %% of equal rankings apart, and %.1f %% where one is better.",
        100 * result.preference().nullRate(), 100 * result.preference().foundRate());
  }

  private void study(String name, SimulatedStudy.Outcome outcome) {
    row(
        name,
        percent(outcome.alarmRate()),
        percent(outcome.coverage()),
        percent(outcome.mismatchRate()),
        percent(outcome.rollBackRate()));
  }

  private void live(int number, LiveResult round) {
    heading("Planted policies, round " + number);
    line(
        "%,d decisions of simulated people in %.0f s through the HTTP API, all policies at once,"
            + " each in",
        round.decisions(), round.seconds());
    line(
        "its slice of one layer. Numbers were %.1f s old (median), %.1f s (99 in 100 of %d looks).",
        round.ageMedian(), round.ageP99(), round.ages());
    line("");
    row("policy", "became", "after", "shares of its slice", "exposed", "minimum", "why");
    rule(7);
    for (PlantedOutcome each : round.outcomes()) {
      row(
          each.policy().word(),
          each.status(),
          words("%.0f s", each.seconds()),
          shares(each.shares()),
          words("%,d", each.exposed()),
          each.minimum() == 0 ? "" : words("%,.0f", each.minimum()),
          each.reason());
    }
    line("");
    line(
        "*Exposed* are decisions that came from the policy, or should have; *minimum* is what a"
            + " rule");
    line(
        "with the same chance of a false alarm needs that knows what to look for, for faults the"
            + " number");
    line("of decisions before health is looked at.");
  }

  private static String shares(List<Integer> basisPoints) {
    return basisPoints.stream()
        .map(share -> words(share % 100 == 0 ? "%.0f %%" : "%.2f %%", share / 100.0))
        .collect(Collectors.joining(", "));
  }

  private static String percent(double share) {
    return words("%.1f %%", 100 * share);
  }

  private static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }

  private void heading(String words) {
    line("");
    line("## " + words.replace("%", "%%"));
    line("");
  }

  private void row(String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void rule(int columns) {
    text.append("|").append(" --- |".repeat(columns)).append('\n');
  }

  private void line(String format, Object... numbers) {
    text.append(String.format(Locale.ROOT, format, numbers)).append('\n');
  }
}
