package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.support.Support;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the log can carry an evaluation of this target policy. Complete also where the values are
 * refused.
 *
 * @param targetWeights by position, the prefix weights up to it
 * @param baselineWeights the same of the champion; empty where the logging policy is the baseline
 * @param effectiveSampleSize the smallest of all of them
 * @param support what the probabilities of all candidates show, where they were given
 * @param models one per signal that has a reward model
 * @param cumulative value of the objective and mean weight from the log's first decision on, at
 *     most 200 points; jumps show instability
 * @param daily the target's mean weight by logging version and day; empty where times are unknown
 * @param largestWeights the 20 decisions with the largest weights, largest first
 */
public record Diagnostics(
    List<WeightDiagnostics> targetWeights,
    List<WeightDiagnostics> baselineWeights,
    double effectiveSampleSize,
    List<Check> checks,
    Support support,
    List<ModelQuality> models,
    List<CumulativePoint> cumulative,
    List<DailyWeights> daily,
    List<HeavyDecision> largestWeights) {

  public Diagnostics {
    targetWeights = List.copyOf(targetWeights);
    baselineWeights = List.copyOf(baselineWeights);
    checks = List.copyOf(checks);
    models = List.copyOf(models);
    cumulative = List.copyOf(cumulative);
    daily = List.copyOf(daily);
    largestWeights = List.copyOf(largestWeights);
  }

  Diagnostics withChecks(List<Check> more) {
    List<Check> all = new ArrayList<>(checks);
    all.addAll(more);
    return new Diagnostics(
        targetWeights,
        baselineWeights,
        effectiveSampleSize,
        all,
        support,
        models,
        cumulative,
        daily,
        largestWeights);
  }

  public List<Check> with(Check.Status status) {
    return checks.stream().filter(check -> check.status() == status).toList();
  }
}
