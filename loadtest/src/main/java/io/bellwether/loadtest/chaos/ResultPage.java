package io.bellwether.loadtest.chaos;

import io.bellwether.loadtest.evaluation.Requirement;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final StringBuilder text = new StringBuilder();
  private final ChaosResult result;

  private ResultPage(ChaosResult result) {
    this.result = result;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(ChaosResult result, String command, Map<String, String> machine) {
    return new ResultPage(result).page(command, machine);
  }

  private String page(String command, Map<String, String> machine) {
    line("# What faults do to decisions and outcomes");
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
    account();
    faults();
    return text.toString();
  }

  private void account() {
    Reckoning reckoning = result.reckoning();
    heading("From request to transition");
    line(
        "%.0f decisions a second at chance moments, whether or not earlier ones were answered;"
            + " deadline %d ms.",
        result.extent().perSecond(), ChaosSurface.DEADLINE.toMillis());
    line("What fails in passing is sent again under its id, for a minute at most.");
    line("");
    row("", "");
    rule(2);
    count("decisions that the product was told", reckoning.decisions());
    count("decisions that it gave up", reckoning.refused());
    count("told another slate than their transition has", reckoning.changed());
    count("outcomes with a receipt", reckoning.outcomes());
    count("dead letters", reckoning.deadLetters());
    count("requests sent again", result.retries());
    result.answers().forEach((kind, number) -> count("answers " + kind, number));
    line("");
    line(
        "*Another slate*: the decision was made twice under one id while Redis could not remember");
    line("the first; the first that reached Kafka is the one that is learned from.");
  }

  private void faults() {
    heading("Faults");
    row("fault", "times", "lasts", "well again after, mean", "longest");
    rule(5);
    Map<Fault, DoubleSummaryStatistics> kinds = new EnumMap<>(Fault.class);
    for (Injected each : result.injected()) {
      kinds
          .computeIfAbsent(each.fault(), f -> new DoubleSummaryStatistics())
          .accept(each.recoverySeconds(result.patienceSeconds()));
    }
    kinds.forEach(
        (fault, times) ->
            row(
                fault.words(),
                Long.toString(times.getCount()),
                words("%d s", fault.lasts().toSeconds()),
                words("%.1f s", times.getAverage()),
                words("%.1f s", times.getMax())));
    line("");
    line("*Well again*: ten answers in a row were full and in time, and Kafka had all but the");
    line("latest events; counted from the moment in which the fault ended or the killed part was");
    line(
        "started again. Answers are held to their deadline wherever serving runs and the way to"
            + " it");
    line("is as usual: not from a fault that stops or hides it until all is well again.");
  }

  private void count(String name, long number) {
    row(name, words("%,d", number));
  }

  private static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }

  private void heading(String words) {
    line("");
    line("## " + words);
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
