package io.bellwether.loadtest.experiment;

import static io.bellwether.loadtest.result.Page.percent;
import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.result.Page;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final ExperimentResult result;
  private final Page page;

  private ResultPage(ExperimentResult result, Page page) {
    this.result = result;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(ExperimentResult result, String command, Map<String, String> machine) {
    Page page = new Page("How far experiments can be trusted", result, command, machine);
    return new ResultPage(result, page).text();
  }

  private String text() {
    page.requirements(result);
    simulated();
    for (int round = 0; round < result.live().size(); round++) {
      live(round + 1, result.live().get(round));
    }
    return page.text();
  }

  private void simulated() {
    page.heading("Simulated experiments");
    page.line(
        "%,d experiments each, looked at %d times (every minute) by the code that reads live ones.",
        result.extent().experiments(), result.extent().minutes());
    page.line("Units are skewed: three in four have nothing, the others exponential values.");
    page.line("");
    page.columns("", "says they differ", "holds the truth", "split alarm", "taken back");
    study("no effect", result.same());
    study("an effect", result.different());
    study("split 52 to 48", result.uneven());
    page.line("");
    page.line(
        "Adjusting by the pre-period (correlation %.1f) leaves %.3f of the variance; bias %.5f,"
            + " one",
        CovariateStudy.CORRELATION, result.covariate().varianceFactor(), result.covariate().bias());
    page.line("standard error %.5f.", result.covariate().biasError());
    page.line(
        "Interleaving tells %.1f %% of equal rankings apart, and %.1f %% where one is better.",
        100 * result.preference().nullRate(), 100 * result.preference().foundRate());
  }

  private void study(String name, SimulatedStudy.Outcome outcome) {
    page.row(
        name,
        percent(outcome.alarmRate()),
        percent(outcome.coverage()),
        percent(outcome.mismatchRate()),
        percent(outcome.rollBackRate()));
  }

  private void live(int number, LiveResult round) {
    page.heading("Planted policies, round " + number);
    page.line(
        "%,d decisions of simulated people in %.0f s through the HTTP API, all policies at once,"
            + " each in",
        round.decisions(), round.seconds());
    page.line(
        "its slice of one layer. Numbers were %.1f s old (median), %.1f s (99 in 100 of %d looks).",
        round.ageMedian(), round.ageP99(), round.ages());
    page.line("");
    page.columns("policy", "became", "after", "shares of its slice", "exposed", "minimum", "why");
    for (PlantedOutcome each : round.outcomes()) {
      page.row(
          each.policy().word(),
          each.status(),
          words("%.0f s", each.seconds()),
          shares(each.shares()),
          words("%,d", each.exposed()),
          each.minimum() == 0 ? "" : words("%,.0f", each.minimum()),
          each.reason());
    }
    page.line("");
    page.line(
        "*Exposed* are decisions that came from the policy, or should have; *minimum* is what a"
            + " rule");
    page.line(
        "with the same chance of a false alarm needs that knows what to look for, for faults the"
            + " number");
    page.line("of decisions before health is looked at.");
  }

  private static String shares(List<Integer> basisPoints) {
    return basisPoints.stream()
        .map(share -> words(share % 100 == 0 ? "%.0f %%" : "%.2f %%", share / 100.0))
        .collect(Collectors.joining(", "));
  }
}
