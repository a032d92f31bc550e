package io.bellwether.loadtest.evaluation;

import static io.bellwether.loadtest.result.Page.percent;
import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.evaluation.coverage.CoverageCell;
import io.bellwether.loadtest.evaluation.golden.GoldenComparison;
import io.bellwether.loadtest.evaluation.planted.PlantedResult;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.evaluation.speed.ToolRun;
import io.bellwether.loadtest.result.Page;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final EvaluationResult result;
  private final Page page;

  private ResultPage(EvaluationResult result, Page page) {
    this.result = result;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(EvaluationResult result, String command, Map<String, String> machine) {
    Page page = new Page("How far evaluations can be trusted", result, command, machine);
    return new ResultPage(result, page).text();
  }

  private String text() {
    page.requirements(result);
    golden();
    coverage();
    planted();
    speed();
    return page.text();
  }

  private void golden() {
    page.heading("Golden numbers");
    page.line(
        "Every deterministic number of the reference files, through the public types. Tolerance:");
    page.line("1e-9 of the number for closed forms, 1e-6 where something is optimised.");
    page.line("");
    page.columns("file", "numbers", "equal");
    Map<String, GoldenComparison.OfFile> files = result.golden().byFile();
    files.forEach((file, of) -> page.row(file, "" + of.rows(), "" + of.equal()));
    result
        .golden()
        .different()
        .forEach(
            each ->
                page.line(
                    "\nNot equal: %s %s, expected %s, found %s %s",
                    each.file(), each.path(), each.expected(), each.found(), each.reason()));
  }

  private void coverage() {
    page.heading("Coverage of 95 % intervals");
    page.line(
        "Share of %,d logs, drawn by seed, whose interval holds the true",
        result.coverage().logs());
    page.line(
        "value. One standard error of such a share is about %.1f %%.",
        100 * result.coverage().monteCarloError());
    page.line("");
    page.columns("log", "size", "estimate", "interval", "covered");
    result.coverage().exact().forEach(this::cell);
    page.heading("Intervals that are not meant to be exact");
    page.line(
        "Bounds that hold whatever the log's size are wide; clipped, modelled and misspecified");
    page.line(
        "values miss the truth by construction; a hundred decisions of this log are too few.");
    page.line("");
    page.columns("log", "size", "estimate", "interval", "covered", "expected");
    for (CoverageCell cell : result.coverage().others()) {
      page.row(
          cell.study(),
          "" + cell.decisions(),
          cell.estimated(),
          cell.interval(),
          percent(cell.share()),
          cell.expectation().words());
    }
  }

  private void cell(CoverageCell cell) {
    page.row(
        cell.study(),
        "" + cell.decisions(),
        cell.estimated(),
        cell.interval(),
        percent(cell.share()) + (cell.isMet() ? "" : " **(outside)**"));
  }

  private void planted() {
    page.heading("Planted failures");
    page.line("The same log with nothing wrong: %s.", result.planted().sound());
    page.line("");
    page.columns("failure", "verdict", "named by", "");
    for (PlantedResult each : result.planted().results()) {
      page.row(
          each.failure(),
          each.verdict(),
          "`" + each.diagnostic().replace("|", "\\|") + "`",
          each.isCaught() ? "caught" : "**not caught**");
    }
    page.line("");
    page.line(
        "The logging policy evaluated on its own log of %,d decisions gives the observed mean",
        result.self().decisions());
    page.line(
        "%.6f within %.1e; its weights differ from 1 by %.1e.",
        result.self().mean(),
        result.self().largestDifference(),
        result.self().largestWeightError());
  }

  private void speed() {
    SpeedComparison speed = result.speed();
    page.heading("Speed and memory");
    page.line(
        "IPS, SNIPS, DM, DR and Switch-DR with %d resamples each, from files to intervals:",
        speed.replicates());
    page.line(
        "%,d rounds of %d actions, both processes started before the clock.",
        speed.rounds(), speed.actions());
    page.line("\"After other logs\" is what a service sees; a first log pays for the compiler.");
    page.line("");
    page.columns("", "seconds", "NumPy / this", "peak memory");
    if (!speed.reference().isEmpty()) {
      page.row("NumPy " + speed.referenceVersion(), seconds(speed.reference()), "", "");
    }
    page.row(
        "first log of a process",
        seconds(speed.cold()),
        ratio(speed.coldSpeed()),
        memory(speed.cold()));
    page.row("after other logs", seconds(speed.warm()), ratio(speed.speed()), memory(speed.warm()));
    SpeedComparison.Large large = speed.large();
    if (large != null) {
      page.row(
          "%,d rounds, heap of %s".formatted(large.rounds(), large.heap()),
          seconds(List.of(large.run())),
          "",
          memory(List.of(large.run())));
    }
    page.line("");
    page.line("Memory counts mapped files as far as they are in memory.");
    if (!speed.reference().isEmpty()) {
      values(speed.reference().get(0), speed.warm().get(0));
    }
  }

  private void values(ToolRun reference, ToolRun ours) {
    page.heading("The same numbers");
    page.columns("estimator", "NumPy", "Bellwether", "interval of NumPy", "interval of Bellwether");
    reference
        .estimates()
        .forEach(
            (name, theirs) -> {
              ToolRun.Value own = ours.estimates().get(name);
              if (own != null) {
                page.row(
                    name,
                    number(theirs.value()),
                    number(own.value()),
                    "%s to %s".formatted(number(theirs.lower()), number(theirs.upper())),
                    "%s to %s".formatted(number(own.lower()), number(own.upper())));
              }
            });
    page.line("");
    page.line(
        "NumPy's intervals of SNIPS hold the normaliser fixed, as the reference tool does; ours");
    page.line("compute it anew in each resample.");
  }

  private static String number(double value) {
    return words("%.9f", value);
  }

  private static String seconds(List<ToolRun> runs) {
    double[] ascending = runs.stream().mapToDouble(ToolRun::seconds).sorted().toArray();
    String median = words("%.2f", ascending[ascending.length / 2]);
    return ascending.length == 1
        ? median
        : words("%s (%.2f to %.2f)", median, ascending[0], ascending[ascending.length - 1]);
  }

  private static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? words("%.1f", ratio.getAsDouble()) : "";
  }

  private static String memory(List<ToolRun> runs) {
    return words("%.2f GiB", runs.stream().mapToDouble(ToolRun::peakMemoryGib).max().orElse(0));
  }
}
