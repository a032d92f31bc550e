package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * A report in three lines: what the verdict is, by how much the policy is better, and whether it
 * keeps its promises.
 */
public record Answer(String verdict, String effect, String promises) {

  private static final String SHARED = "simultaneousInterval";
  private static final String LIFT = "liftInterval";

  public static Answer of(StoredReport report) {
    return new Answer(verdict(report), effect(report), promises(report));
  }

  /** The lines in their order. */
  public List<String> lines() {
    return List.of(verdict, effect, promises);
  }

  private static String verdict(StoredReport report) {
    String who = report.target() + " on " + report.surface();
    String baseline = baseline(report);
    return switch (report.code()) {
      case "PASS" -> "Pass: " + who + " is shown to be " + goal(report) + " " + baseline + ".";
      case "FAIL" -> "Fail: " + who + " is shown not to be " + goal(report) + " " + baseline + ".";
      case "FAIL_CONSTRAINT" -> "Fail: " + who + " is shown to break a promise.";
      case "INSUFFICIENT_SUPPORT" ->
          "Not enough evidence: what " + who + " would do, this log shows too rarely.";
      default -> "Not enough evidence: " + undecided(report, who, baseline) + ".";
    };
  }

  /** A policy that is shown to be better may still lack a promise, or go too far from the log. */
  private static String undecided(StoredReport report, String who, String baseline) {
    if (!isShownToBeBetter(report)) {
      return "this log does not show whether %s is %s %s%s"
          .formatted(who, goal(report), baseline, needed(report));
    }
    return report.list("constraints").stream()
            .anyMatch(each -> StoredReport.is(each, "status", "UNDECIDED"))
        ? who + " is better, but this log does not show that it keeps every promise"
        : who + " is better, but further from the logging policy than a pass allows";
  }

  private static boolean isShownToBeBetter(StoredReport report) {
    boolean less = report.meta("objective").path("direction").asText("").equals("MINIMIZE");
    return report
        .comparison(report.objective())
        .map(each -> each.path(report.meta("minLift").asDouble(0) == 0 ? SHARED : LIFT))
        .filter(interval -> interval.path("lower").isNumber())
        .filter(
            interval ->
                less
                    ? interval.path("upper").doubleValue() < -report.meta("minLift").asDouble(0)
                    : interval.path("lower").doubleValue() > report.meta("minLift").asDouble(0))
        .isPresent();
  }

  private static String goal(StoredReport report) {
    double lift = report.meta("minLift").asDouble(0);
    if (lift == 0) {
      return "better than";
    }
    return lift > 0
        ? "better by at least " + Figures.percent(lift) + " than"
        : "worse by less than " + Figures.percent(-lift) + " than";
  }

  static String baseline(StoredReport report) {
    return report.baseline().equals("logging policy")
        ? "the logging policy"
        : "the champion " + report.baseline();
  }

  private static String needed(StoredReport report) {
    JsonNode size = report.root().path("sampleSize");
    return size.path("decisions").isNumber()
        ? "; about %s decisions would show a difference of %s"
            .formatted(Figures.count(size.path("decisions")), Figures.number(size.path("effect")))
        : "";
  }

  private static String effect(StoredReport report) {
    String signal = report.objective();
    Optional<JsonNode> comparison = report.comparison(signal);
    JsonNode difference =
        comparison.map(each -> each.path("difference")).orElse(StoredReport.NOTHING);
    if (!difference.path("value").isNumber()) {
      String reason = difference.path("reason").asText("no value");
      return "%s per decision: no difference is stated (%s).".formatted(signal, reason);
    }
    return "%s per decision: %s%s against %s%s%s."
        .formatted(
            signal,
            Figures.signed(difference.path("value").doubleValue()),
            interval(comparison.get().path("interval")),
            baseline(report),
            values(report, signal),
            lift(comparison.get()));
  }

  private static String interval(JsonNode interval) {
    return interval.path("lower").isNumber()
        ? ", %.0f %% interval %s to %s,"
            .formatted(
                100 * interval.path("level").asDouble(0.95),
                Figures.number(interval.path("lower")),
                Figures.number(interval.path("upper")))
        : "";
  }

  private static String values(StoredReport report, String signal) {
    Optional<JsonNode> target = report.estimate("target", signal);
    Optional<JsonNode> baseline = report.estimate("baseline", signal);
    return target.isPresent() && baseline.isPresent()
        ? " (%s against %s)"
            .formatted(
                Figures.number(target.get().path("value")),
                Figures.number(baseline.get().path("value")))
        : "";
  }

  private static String lift(JsonNode comparison) {
    JsonNode lift = comparison.path("relativeLift").path("value");
    return lift.isNumber()
        ? ", %s%.1f %%".formatted(lift.doubleValue() > 0 ? "+" : "", 100 * lift.doubleValue())
        : "";
  }

  private static String promises(StoredReport report) {
    List<JsonNode> constraints = report.list("constraints");
    if (constraints.isEmpty()) {
      return "Promises: the surface declares none.";
    }
    long kept = count(constraints, "SATISFIED");
    long broken = count(constraints, "VIOLATED");
    long open = constraints.size() - kept - broken;
    StringBuilder words = new StringBuilder("Promises: ");
    words.append(kept).append(" of ").append(constraints.size()).append(" shown to be kept");
    if (broken > 0) {
      words.append(", ").append(broken).append(" broken (").append(names(constraints, "VIOLATED"));
      words.append(')');
    }
    if (open > 0) {
      words.append(", ").append(open).append(" not shown either way (");
      words.append(names(constraints, "UNDECIDED")).append(')');
    }
    return words.append('.').toString();
  }

  private static long count(List<JsonNode> constraints, String status) {
    return constraints.stream().filter(each -> StoredReport.is(each, "status", status)).count();
  }

  private static String names(List<JsonNode> constraints, String status) {
    return String.join(
        ", ",
        constraints.stream()
            .filter(each -> StoredReport.is(each, "status", status))
            .map(each -> each.path("promise").asText())
            .toList());
  }
}
