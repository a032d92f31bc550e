package io.bellwether.evaluation.experiment;

/**
 * What was counted of a version that scored decisions without being shown.
 *
 * @param health its scorings: exposures are decisions that it was asked to score, degraded ones
 *     those that it could not
 * @param agreement sum over scored decisions of the share of positions with the same item
 * @param distance sum over scored decisions of the total variation distance at the first position
 */
public record ShadowSample(String variant, Health health, double agreement, double distance) {

  public ShadowSample plus(ShadowSample other) {
    return new ShadowSample(
        variant, health.plus(other.health), agreement + other.agreement, distance + other.distance);
  }

  long scored() {
    return health.exposures() - health.degraded();
  }
}
