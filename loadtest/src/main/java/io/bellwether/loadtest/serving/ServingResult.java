package io.bellwether.loadtest.serving;

import io.bellwether.loadtest.fuzz.HostileTraffic;
import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run of the benchmark found. Immutable.
 *
 * @param seconds that it took
 * @param scenarios in order; the first is the reference
 * @param hostile what came of malformed and hostile requests
 * @param retrievalRecall as the service itself measured it; empty where it retrieves nothing
 */
public record ServingResult(
    long seed,
    double seconds,
    BenchmarkExtent extent,
    List<ScenarioResult> scenarios,
    Optional<SwapStorm.Result> storm,
    Optional<Soak.Result> soak,
    Optional<Hostile> hostile,
    OptionalDouble retrievalRecall)
    implements Measurement {
  static final String LINEAR = "linear";

  private static final double ALLOCATED_KIB = 32;
  private static final double LONGEST_PAUSE_MILLIS = 20;
  private static final double RESIDENT_GROWTH = 0.02;

  /**
   * What came of malformed and hostile requests.
   *
   * @param leaks lines of the service's log that hold something of a body, or a secret
   */
  record Hostile(HostileTraffic.Result traffic, long leaks) {}

  public ServingResult {
    scenarios = List.copyOf(scenarios);
  }

  ScenarioResult reference() {
    return scenarios.get(0);
  }

  /** Decisions per second of the linear policy; empty where it was not measured. */
  OptionalDouble linearPerSecond() {
    return scenarios.stream()
        .filter(each -> each.scenario().scenario().equals(LINEAR))
        .mapToDouble(ScenarioResult::sustained)
        .findFirst();
  }

  @Override
  public List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    scenarios.forEach(each -> addScenario(each, all));
    OptionalDouble allocated = reference().use().allocatedBytes();
    all.add(
        new Requirement(
            "allocation per decision",
            allocated.isEmpty() ? "unknown" : words("%.1f KiB", allocated.getAsDouble() / 1024),
            words("under %.0f KiB", ALLOCATED_KIB),
            allocated.isEmpty()
                ? Status.NOT_KNOWN
                : Status.of(allocated.getAsDouble() < ALLOCATED_KIB * 1024)));
    storm.ifPresent(each -> addStorm(each, all));
    soak.ifPresent(each -> addSoak(each, all));
    hostile.ifPresent(each -> addHostile(each, all));
    return all;
  }

  private static void addScenario(ScenarioResult result, List<Requirement> all) {
    Scenario.Required required = result.scenario().required();
    String name = result.scenario().scenario();
    addPercentile(name, "p50", 50, required.p50(), result, all);
    addPercentile(name, "p99", 99, required.p99(), result, all);
    addPercentile(name, "p99.9", 99.9, required.p999(), result, all);
    if (required.throughput() > 0) {
      all.add(
          new Requirement(
              name + ": throughput over what the floors allow",
              words("%.2f", result.throughputOverFloor()),
              words("at least %.2f", required.throughput()),
              Status.of(result.throughputOverFloor() >= required.throughput())));
    }
    if (required.decisionsPerSecond() > 0) {
      all.add(
          new Requirement(
              name + ": decisions per second",
              words("%,.0f", result.sustained()),
              words("at least %,.0f", required.decisionsPerSecond()),
              Status.of(result.sustained() >= required.decisionsPerSecond())));
    }
  }

  private static void addPercentile(
      String scenario,
      String name,
      double percentile,
      double required,
      ScenarioResult result,
      List<Requirement> all) {
    if (required > 0) {
      double found = result.overFloor(percentile);
      all.add(
          new Requirement(
              scenario + ": " + name + " over the floor's",
              words("%.2f", found),
              words("at most %.1f", required),
              Status.of(found <= required)));
    }
  }

  private static void addStorm(SwapStorm.Result storm, List<Requirement> all) {
    all.add(
        new Requirement(
            words("%,d swaps under load: requests without a full answer", storm.swaps()),
            words("%,d of %,d", storm.failed() + storm.degraded(), storm.requests()),
            "none",
            Status.of(storm.failed() + storm.degraded() == 0)));
    all.add(
        new Requirement(
            "swaps: decisions of a version after its retirement was acknowledged",
            words("%,d", storm.stale()),
            "none",
            Status.of(storm.stale() == 0)));
    all.add(
        new Requirement(
            "swaps: growth of resident memory",
            words("%.1f %%", 100 * storm.residentGrowth()),
            words("at most %.0f %%", 100 * RESIDENT_GROWTH),
            storm.residentBefore() == 0
                ? Status.NOT_KNOWN
                : Status.of(storm.residentGrowth() <= RESIDENT_GROWTH)));
  }

  private static void addSoak(Soak.Result soak, List<Requirement> all) {
    all.add(
        new Requirement(
            "soak: longest pause",
            words("%.1f ms", soak.longestPauseMillis()),
            words("at most %.0f ms", LONGEST_PAUSE_MILLIS),
            soak.pauses().isEmpty()
                ? Status.NOT_KNOWN
                : Status.of(soak.longestPauseMillis() <= LONGEST_PAUSE_MILLIS)));
    all.add(
        new Requirement(
            "soak: growth of resident memory",
            words("%.1f %%", 100 * soak.residentGrowth()),
            words("at most %.0f %%", 100 * RESIDENT_GROWTH),
            Status.of(soak.residentGrowth() <= RESIDENT_GROWTH)));
    all.add(
        new Requirement(
            "soak: requests without a full answer",
            words("%,d of %,d", soak.load().unanswered(), soak.load().offered()),
            "none",
            Status.of(soak.load().unanswered() == 0)));
  }

  private static void addHostile(Hostile hostile, List<Requirement> all) {
    long sent = hostile.traffic().sent();
    all.add(
        new Requirement(
            words("%,d hostile requests: answers that blame the service", sent),
            Integer.toString(hostile.traffic().faults().size()),
            "none",
            Status.of(hostile.traffic().faults().isEmpty())));
    all.add(
        new Requirement(
            "hostile requests: lines of the log with a body or a secret",
            Long.toString(hostile.leaks()),
            "none",
            Status.of(hostile.leaks() == 0)));
  }

  private static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
