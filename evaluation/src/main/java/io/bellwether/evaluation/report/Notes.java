package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Interval.Method;
import java.util.ArrayList;
import java.util.List;

/** What has to be said next to an estimator's value. */
final class Notes {
  private Notes() {}

  /** What the value must not be used for, or what it assumes; or empty. */
  static String of(Shown shown) {
    return switch (shown.estimator().name()) {
      case "dm" -> "sampling error of contexts only; never decides";
      case "ips-clipped" -> "biased towards 0 by the cut; never decides";
      case "sg-ips" -> "biased towards 0 by the shrinkage; never decides";
      case "switch-dr", "dr-shrunk", "dr-clipped", "sg-dr" ->
          "biased towards the reward model; never decides";
      case "mips", "snmips" -> "right if an item matters only through its cluster; never decides";
      case "offcem" -> "right if the model ranks items within their cluster; never decides";
      case "iips", "sniips" ->
          "right if a position's reaction depends on its own item alone; never decides";
      case "pi" -> "right if the slate's reaction is a sum over its items; never decides";
      case "sips", "snsips" -> "weighs whole slates; a cross-check for two positions";
      default -> "";
    };
  }

  /** What makes this very value doubtful. */
  static List<String> warnings(
      Shown shown,
      String signal,
      double effectiveSampleSize,
      List<EstimateInterval> intervals,
      Estimation estimation) {
    List<String> warnings = new ArrayList<>();
    Limits limits = estimation.plan().limits();
    double decisions = estimation.log().decisions();
    if (shown.isWeighted()) {
      if (effectiveSampleSize < limits.minEffectiveSampleSize()) {
        warnings.add(
            "its weights are worth %s decisions, which is too few"
                .formatted(Words.number(effectiveSampleSize)));
      } else if (effectiveSampleSize < limits.warnEffectiveShare() * decisions) {
        warnings.add(
            "its weights are worth %s of %d decisions"
                .formatted(Words.number(effectiveSampleSize), estimation.log().decisions()));
      }
    }
    if (estimation.isSparse(signal)) {
      warnings.add(
          estimation.found(Finding.Code.FEW_EVENTS, signal)
              ? "fewer than 10 events or non-events"
              : "all amounts are equal");
    }
    if (shown.parameters().containsKey("chosen")) {
      warnings.add("its parameter was chosen on the same decisions");
    }
    if (intervals.stream()
        .anyMatch(
            each ->
                each.method() == Method.BCA
                    && each.bounds().equals(new Bounds.Absent("FALLS_BACK")))) {
      warnings.add("no bias-corrected interval: read the percentile interval");
    }
    return warnings;
  }
}
