package io.bellwether.loadtest.serving;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.result.Page;
import io.bellwether.loadtest.serving.ProcessUse.Threads;
import java.util.Map;
import java.util.TreeMap;

/** A result as a page of tables, in Markdown. */
public final class ResultPage {

  /** Threads below this share of the CPU time are left out. */
  private static final double SHOWN_SHARE = 0.01;

  private final ServingResult result;
  private final Page page;

  private ResultPage(ServingResult result, Page page) {
    this.result = result;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public static String of(ServingResult result, String command, Map<String, String> machine) {
    Page page = new Page("How fast decisions are", result, command, machine);
    return new ResultPage(result, page).text();
  }

  private String text() {
    page.line("");
    page.line("Kafka, Redis, the service and the load generator share these cores.");
    page.requirements(result);
    latencies();
    throughput();
    threads();
    result.storm().ifPresent(this::storm);
    result.soak().ifPresent(this::soak);
    result.hostile().ifPresent(this::hostile);
    result
        .retrievalRecall()
        .ifPresent(
            recall -> {
              page.heading("Retrieval");
              page.line("Recall of the nearest neighbours against exact search: %.3f.", recall);
            });
    return page.text();
  }

  private void latencies() {
    page.heading("Latency at half of the highest sustained rate");
    page.line(
        "Milliseconds from the moment at which a request was due, not from when it was sent.");
    page.line(
        "The floor is `POST /v1/noop` with the same bodies at the same rate, and the bare graph"
            + " in");
    page.line("ONNX Runtime, each alone; its percentile is the sum of theirs.");
    page.line("");
    page.columns(
        "scenario", "rate", "", "p50", "p99", "p99.9", "longest", "answers", "without answer");
    for (ScenarioResult each : result.scenarios()) {
      LoadReport load = each.load();
      page.row(
          each.scenario().scenario(),
          words("%,.0f/s", load.offeredPerSecond()),
          "service",
          millis(load.latency().millis(50)),
          millis(load.latency().millis(99)),
          millis(load.latency().millis(99.9)),
          millis(load.latency().maxMillis()),
          words("%,d", load.succeeded()),
          words("%,d", load.unanswered()));
      floor("no-op", each.noop().latency());
      floor("bare graph", each.graph().latency());
      page.row(
          "",
          "",
          "**over the floor**",
          words("**%.2f**", each.overFloor(50)),
          words("**%.2f**", each.overFloor(99)),
          words("**%.2f**", each.overFloor(99.9)),
          "",
          "",
          "");
    }
    for (ScenarioResult each : result.scenarios()) {
      if (each.load().latency().overflows() > 0) {
        page.line(
            "%s: %,d answers took longer than a minute and are counted as a minute.",
            each.scenario().scenario(), each.load().latency().overflows());
      }
    }
  }

  private void floor(String name, Latencies latency) {
    page.row(
        "",
        "",
        name,
        millis(latency.millis(50)),
        millis(latency.millis(99)),
        millis(latency.millis(99.9)),
        millis(latency.maxMillis()),
        words("%,d", latency.count()),
        "");
  }

  private void throughput() {
    page.heading("Throughput");
    page.line(
        "*Sustained* is the highest rate of the ramp at which 99 %% of what is due is answered with"
            + " 2xx");
    page.line(
        "and nothing piles up. *Allowed* is what the CPU time of the floors alone would permit on"
            + " all");
    page.line("cores.");
    page.line("");
    page.columns(
        "scenario",
        "body",
        "sustained",
        "allowed",
        "share",
        "CPU per decision",
        "of it no-op",
        "bare graph",
        "allocated",
        "longest pause",
        "memory");
    for (ScenarioResult each : result.scenarios()) {
      page.row(
          each.scenario().scenario(),
          words("%.1f KiB", each.bodyBytes() / 1024.0),
          words("%,.0f/s", each.sustained()),
          words("%,.0f/s", each.allowedPerSecond()),
          words("%.2f", each.throughputOverFloor()),
          words("%.3f ms", each.use().cpuMillis()),
          words("%.3f ms", each.noopCpuMillis()),
          words("%.3f ms", each.graph().cpuMillis()),
          each.use().allocatedBytes().isEmpty()
              ? ""
              : words("%.1f KiB", each.use().allocatedBytes().getAsDouble() / 1024),
          words("%.1f ms", each.use().longestPauseMillis()),
          words("%,d MiB", each.use().residentBytes() >> 20));
    }
  }

  private void threads() {
    ScenarioResult reference = result.reference();
    double cpu = reference.use().threads().stream().mapToDouble(Threads::cpuMillis).sum();
    if (cpu == 0) {
      return;
    }
    page.heading("Where the CPU time of a decision goes: " + reference.scenario().scenario());
    page.columns("threads", "CPU per decision", "share", "allocated per decision");
    long decisions = reference.load().offered();
    for (Threads each : reference.use().threads()) {
      if (each.cpuMillis() >= SHOWN_SHARE * cpu) {
        page.row(
            each.name(),
            words("%.3f ms", each.cpuMillis() / decisions),
            words("%.0f %%", 100 * each.cpuMillis() / cpu),
            words("%.1f KiB", each.allocatedBytes() / 1024.0 / decisions));
      }
    }
  }

  private void storm(SwapStorm.Result storm) {
    page.heading("Swaps of the champion under load");
    page.line(
        "%,d swaps, %.1f per second, while %,d decisions were asked for: %,d without a full answer,"
            + " %,d",
        storm.swaps(),
        storm.perSecond(),
        storm.requests(),
        storm.failed() + storm.degraded(),
        storm.stale());
    page.line("of a version after its retirement was acknowledged.");
    page.line("");
    page.line(
        "A version answers %.0f ms after it is asked for (median), %.0f ms (99 in 100). Decisions"
            + " meanwhile:",
        storm.swapMillis().millis(50), storm.swapMillis().millis(99));
    page.line(
        "p50 %s, p99 %s, p99.9 %s ms. Resident memory went from %,d to %,d MiB.",
        millis(storm.latency().millis(50)),
        millis(storm.latency().millis(99)),
        millis(storm.latency().millis(99.9)),
        storm.residentBefore() >> 20,
        storm.residentAfter() >> 20);
  }

  private void soak(Soak.Result soak) {
    page.heading("Soak");
    page.line(
        "%,d decisions at %,.0f/s: p50 %s, p99 %s, p99.9 %s, longest %s ms; %,d without an answer.",
        soak.load().offered(),
        soak.perSecond(),
        millis(soak.load().latency().millis(50)),
        millis(soak.load().latency().millis(99)),
        millis(soak.load().latency().millis(99.9)),
        millis(soak.load().latency().maxMillis()),
        soak.load().unanswered());
    page.line(
        "%,d pauses of the JVM, the longest %.1f ms; resident memory grew by %.1f %%.",
        soak.pauses().size(), soak.longestPauseMillis(), 100 * soak.residentGrowth());
  }

  private void hostile(ServingResult.Hostile hostile) {
    page.heading("Hostile requests");
    page.line(
        "%,d malformed and hostile requests over REST and gRPC; memory grew by %.1f %%.",
        hostile.traffic().sent(), 100 * hostile.traffic().residentGrowth());
    page.line("");
    page.columns("answer", "times");
    new TreeMap<>(hostile.traffic().answers())
        .forEach((answer, times) -> page.row(answer, words("%,d", times)));
    hostile.traffic().faults().forEach(fault -> page.line("%n    %s", fault));
  }

  private static String millis(double number) {
    return words("%.2f", number);
  }
}
