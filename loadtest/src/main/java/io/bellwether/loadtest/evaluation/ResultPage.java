package io.bellwether.loadtest.evaluation;

import io.bellwether.loadtest.evaluation.coverage.CoverageCell;
import io.bellwether.loadtest.evaluation.golden.GoldenComparison;
import io.bellwether.loadtest.evaluation.planted.PlantedResult;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.evaluation.speed.ToolRun;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final StringBuilder text = new StringBuilder();
  private final EvaluationResult result;

  private ResultPage(EvaluationResult result) {
    this.result = result;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(EvaluationResult result, String command, Map<String, String> machine) {
    return new ResultPage(result).page(command, machine);
  }

  private String page(String command, Map<String, String> machine) {
    line("# How far evaluations can be trusted");
    line("");
    line("Made by `%s` in %.0f s, seed %d.", command, result.seconds(), result.seed());
    line("");
    machine.forEach((name, value) -> line("- %s: %s", name, value));
    requirements();
    golden();
    coverage();
    planted();
    speed();
    return text.toString();
  }

  private void requirements() {
    heading("What it has to show");
    row("", "found", "required", "");
    rule(4);
    for (Requirement each : result.requirements()) {
      row(each.name(), each.observed(), each.required(), each.status().words());
    }
  }

  private void golden() {
    heading("Golden numbers");
    line("Every deterministic number of the reference files, through the public types. Tolerance:");
    line("1e-9 of the number for closed forms, 1e-6 where something is optimised.");
    line("");
    row("file", "numbers", "equal");
    rule(3);
    Map<String, GoldenComparison.OfFile> files = result.golden().byFile();
    files.forEach((file, of) -> row(file, "" + of.rows(), "" + of.equal()));
    result
        .golden()
        .different()
        .forEach(
            each ->
                line(
                    "\nNot equal: %s %s, expected %s, found %s %s",
                    each.file(), each.path(), each.expected(), each.found(), each.reason()));
  }

  private void coverage() {
    heading("Coverage of 95 % intervals");
    line(
        "Share of %,d logs, drawn by seed, whose interval holds the true",
        result.coverage().logs());
    line(
        "value. One standard error of such a share is about %.1f %%.",
        100 * result.coverage().monteCarloError());
    line("");
    row("log", "size", "estimate", "interval", "covered");
    rule(5);
    result.coverage().exact().forEach(this::cell);
    heading("Intervals that are not meant to be exact");
    line("Bounds that hold whatever the log's size are wide; clipped, modelled and misspecified");
    line("values miss the truth by construction; a hundred decisions of this log are too few.");
    line("");
    row("log", "size", "estimate", "interval", "covered", "expected");
    rule(6);
    for (CoverageCell cell : result.coverage().others()) {
      row(
          cell.study(),
          "" + cell.decisions(),
          cell.estimated(),
          cell.interval(),
          percent(cell.share()),
          cell.expectation().words());
    }
  }

  private void cell(CoverageCell cell) {
    row(
        cell.study(),
        "" + cell.decisions(),
        cell.estimated(),
        cell.interval(),
        percent(cell.share()) + (cell.isMet() ? "" : " **(outside)**"));
  }

  private void planted() {
    heading("Planted failures");
    line("The same log with nothing wrong: %s.", result.planted().sound());
    line("");
    row("failure", "verdict", "named by", "");
    rule(4);
    for (PlantedResult each : result.planted().results()) {
      row(
          each.failure(),
          each.verdict(),
          "`" + each.diagnostic().replace("|", "\\|") + "`",
          each.isCaught() ? "caught" : "**not caught**");
    }
    line("");
    line(
        "The logging policy evaluated on its own log of %,d decisions gives the observed mean",
        result.self().decisions());
    line(
        "%.6f within %.1e; its weights differ from 1 by %.1e.",
        result.self().mean(),
        result.self().largestDifference(),
        result.self().largestWeightError());
  }

  private void speed() {
    SpeedComparison speed = result.speed();
    heading("Speed and memory");
    line(
        "IPS, SNIPS, DM, DR and Switch-DR with %d resamples each, from files to intervals:",
        speed.replicates());
    line(
        "%,d rounds of %d actions, both processes started before the clock.",
        speed.rounds(), speed.actions());
    line("\"After other logs\" is what a service sees; a first log pays for the compiler.");
    line("");
    row("", "seconds", "NumPy / this", "peak memory");
    rule(4);
    if (!speed.reference().isEmpty()) {
      row("NumPy " + speed.referenceVersion(), seconds(speed.reference()), "", "");
    }
    row(
        "first log of a process",
        seconds(speed.cold()),
        ratio(speed.coldSpeed()),
        memory(speed.cold()));
    row("after other logs", seconds(speed.warm()), ratio(speed.speed()), memory(speed.warm()));
    SpeedComparison.Large large = speed.large();
    if (large != null) {
      row(
          "%,d rounds, heap of %s".formatted(large.rounds(), large.heap()),
          seconds(List.of(large.run())),
          "",
          memory(List.of(large.run())));
    }
    line("");
    line("Memory counts mapped files as far as they are in memory.");
    if (!speed.reference().isEmpty()) {
      values(speed.reference().get(0), speed.warm().get(0));
    }
  }

  private void values(ToolRun reference, ToolRun ours) {
    heading("The same numbers");
    row("estimator", "NumPy", "Bellwether", "interval of NumPy", "interval of Bellwether");
    rule(5);
    reference
        .estimates()
        .forEach(
            (name, theirs) -> {
              ToolRun.Value own = ours.estimates().get(name);
              if (own != null) {
                row(
                    name,
                    number(theirs.value()),
                    number(own.value()),
                    "%s to %s".formatted(number(theirs.lower()), number(theirs.upper())),
                    "%s to %s".formatted(number(own.lower()), number(own.upper())));
              }
            });
    line("");
    line("NumPy's intervals of SNIPS hold the normaliser fixed, as the reference tool does; ours");
    line("compute it anew in each resample.");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.9f", value);
  }

  private static String seconds(List<ToolRun> runs) {
    double[] ascending = runs.stream().mapToDouble(ToolRun::seconds).sorted().toArray();
    String median = String.format(Locale.ROOT, "%.2f", ascending[ascending.length / 2]);
    return ascending.length == 1
        ? median
        : String.format(
            Locale.ROOT,
            "%s (%.2f to %.2f)",
            median,
            ascending[0],
            ascending[ascending.length - 1]);
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.1f", ratio.getAsDouble()) : "";
  }

  private static String memory(List<ToolRun> runs) {
    return String.format(
        Locale.ROOT, "%.2f GiB", runs.stream().mapToDouble(ToolRun::peakMemoryGib).max().orElse(0));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
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
