package io.bellwether.loadtest.chaos;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.result.Page;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.Map;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final ChaosResult result;
  private final Page page;

  private ResultPage(ChaosResult result, Page page) {
    this.result = result;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(ChaosResult result, String command, Map<String, String> machine) {
    Page page = new Page("What faults do to decisions and outcomes", result, command, machine);
    return new ResultPage(result, page).text();
  }

  private String text() {
    page.requirements(result);
    account();
    faults();
    return page.text();
  }

  private void account() {
    Reckoning reckoning = result.reckoning();
    page.heading("From request to transition");
    page.line(
        "%.0f decisions a second at chance moments, whether or not earlier ones were answered;"
            + " deadline %d ms.",
        result.extent().perSecond(), ChaosSurface.DEADLINE.toMillis());
    page.line("What fails in passing is sent again under its id, for a minute at most.");
    page.line("");
    page.columns("", "");
    count("decisions that the product was told", reckoning.decisions());
    count("decisions that it gave up", reckoning.refused());
    count("told another slate than their transition has", reckoning.changed());
    count("outcomes with a receipt", reckoning.outcomes());
    count("dead letters", reckoning.deadLetters());
    count("requests sent again", result.retries());
    result.answers().forEach((kind, number) -> count("answers " + kind, number));
    page.line("");
    page.line(
        "*Another slate*: the decision was made twice under one id while Redis could not remember");
    page.line("the first; the first that reached Kafka is the one that is learned from.");
  }

  private void faults() {
    page.heading("Faults");
    page.columns("fault", "times", "lasts", "well again after, mean", "longest");
    Map<Fault, DoubleSummaryStatistics> kinds = new EnumMap<>(Fault.class);
    for (Injected each : result.injected()) {
      kinds
          .computeIfAbsent(each.fault(), f -> new DoubleSummaryStatistics())
          .accept(each.recoverySeconds(result.patienceSeconds()));
    }
    kinds.forEach(
        (fault, times) ->
            page.row(
                fault.words(),
                Long.toString(times.getCount()),
                words("%d s", fault.lasts().toSeconds()),
                words("%.1f s", times.getAverage()),
                words("%.1f s", times.getMax())));
    page.line("");
    page.line(
        "*Well again*: ten answers in a row were full and in time, and Kafka had all but the");
    page.line(
        "latest events; counted from the moment in which the fault ended or the killed part was");
    page.line(
        "started again. Answers are held to their deadline wherever serving runs and the way to"
            + " it");
    page.line("is as usual: not from a fault that stops or hides it until all is well again.");
  }

  private void count(String name, long number) {
    page.row(name, words("%,d", number));
  }
}
