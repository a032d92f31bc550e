package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.offpolicy.Estimate;

/**
 * A signal's value in one segment.
 *
 * @param estimate refused with {@code ESS_BELOW_100} where it would rest on less
 */
public record Subgroup(
    String label, long decisions, double effectiveSampleSize, Estimate estimate) {
  private static final double LEAST_EFFECTIVE_SAMPLE_SIZE = 100;

  public Subgroup {
    if (!(effectiveSampleSize >= LEAST_EFFECTIVE_SAMPLE_SIZE)) {
      estimate = new Estimate.Refused("ESS_BELOW_100");
    }
  }
}
