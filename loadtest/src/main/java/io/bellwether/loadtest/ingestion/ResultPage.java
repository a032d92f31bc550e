package io.bellwether.loadtest.ingestion;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.ingestion.IngestionResult.Round;
import io.bellwether.loadtest.result.Page;
import java.util.Map;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {
  private final IngestionResult result;
  private final Page page;

  private ResultPage(IngestionResult result, Page page) {
    this.result = result;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(IngestionResult result, String command, Map<String, String> machine) {
    Page page = new Page("What the join of decisions and outcomes costs", result, command, machine);
    return new ResultPage(result, page).text();
  }

  private String text() {
    page.requirements(result);
    rounds();
    others();
    return page.text();
  }

  private void rounds() {
    page.heading("The job beside an empty pipeline");
    page.line(
        "Each decision has %d outcomes, shuffled; %d %% come late and %d %% twice. The empty"
            + " pipeline has",
        EventPlan.OUTCOMES, EventPlan.LATE_PERCENT, EventPlan.TWICE_PERCENT);
    page.line("the same source and the same shuffle by key, and throws each record away.");
    page.line("");
    page.columns(
        "decisions", "records", "transitions", "empty, s", "CPU, s", "job, s", "CPU, s", "share");
    for (Round round : result.rounds()) {
      page.row(
          words("%,d", round.decisions()),
          words("%,d", round.records()),
          words("%,d", round.transitions()),
          words("%.1f", round.empty().seconds()),
          words("%.1f", round.empty().cpuSeconds()),
          words("%.1f", round.join().seconds()),
          words("%.1f", round.join().cpuSeconds()),
          words("%.2f", round.overEmpty()));
    }
    page.line("");
    page.line(
        "*Share*: records per second of processor time, over the empty pipeline's. *Transitions*");
    page.line("are more than decisions, since a late outcome restates its decision's.");
  }

  private void others() {
    page.heading("The rest");
    page.columns("", "");
    page.row(
        "cut off and continued from a checkpoint",
        words(
            "%d times, %,d decisions, %,d wrong",
            result.restarted().restarts(),
            result.restarted().decisions(),
            result.restarted().wrong()));
    page.row(
        "state of the job with open decisions",
        words(
            "%.0f bytes each, of %,d decisions with %d outcomes",
            result.stateBytesPerOpenDecision(), result.open(), EventPlan.OUTCOMES));
    page.row(
        "decisions of 10 KB through Kafka",
        words(
            "%,.0f a second: %,d of %,d bytes in %.1f s",
            result.large().perSecond(),
            result.large().transitions(),
            result.large().decisionBytes(),
            result.large().seconds()));
    page.row(
        "histories in Redis",
        words(
            "%.2f GiB per million subjects, from %,d: %.0f bytes each; %.0f with inline items",
            result.histories().gibPerMillion(),
            result.histories().subjects(),
            result.histories().bytesPerSubject(),
            result.histories().inlineBytesPerSubject()));
  }
}
