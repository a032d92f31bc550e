package io.bellwether.evaluation.report;

import java.util.List;

/**
 * What a verdict rests on.
 *
 * @param objective by how much the target policy beats the baseline, less the lift asked for
 * @param effectiveSampleSize of the weakest position, the baseline's weights included
 */
public record Evidence(
    ContrastResult objective,
    List<Certificate> constraints,
    double effectiveSampleSize,
    List<Check> checks) {

  public Evidence {
    constraints = List.copyOf(constraints);
    checks = List.copyOf(checks);
  }
}
