package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.util.List;

/**
 * Whether the log can carry an evaluation of this target policy.
 *
 * @param targetWeights by position, the prefix weights up to it
 * @param baselineWeights the same of the champion; empty where the logging policy is the baseline
 * @param effectiveSampleSize the smallest of all of them
 */
public record Diagnostics(
    List<WeightDiagnostics> targetWeights,
    List<WeightDiagnostics> baselineWeights,
    double effectiveSampleSize,
    List<Check> checks) {

  public Diagnostics {
    targetWeights = List.copyOf(targetWeights);
    baselineWeights = List.copyOf(baselineWeights);
    checks = List.copyOf(checks);
  }

  public List<Check> with(Check.Status status) {
    return checks.stream().filter(check -> check.status() == status).toList();
  }
}
