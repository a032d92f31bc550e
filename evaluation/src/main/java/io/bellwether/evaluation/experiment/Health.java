package io.bellwether.evaluation.experiment;

import java.util.OptionalDouble;

/**
 * How a variant's decisions went as operations.
 *
 * @param exposures decisions that were shown
 * @param degraded of these, answered by another than the variant's own policy, or not scored
 * @param decisionMicros how long decisions took, in microseconds
 */
public record Health(long exposures, long degraded, Distribution decisionMicros) {

  public Health {
    if (degraded < 0 || exposures < degraded) {
      throw new IllegalArgumentException(
          "%d degraded of %d exposures".formatted(degraded, exposures));
    }
  }

  public static Health none() {
    return new Health(0, 0, Distribution.empty());
  }

  public Health plus(Health other) {
    return new Health(
        exposures + other.exposures,
        degraded + other.degraded,
        decisionMicros.plus(other.decisionMicros));
  }

  /** In [0, 1]; empty without exposures. */
  public OptionalDouble degradedShare() {
    return exposures == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) degraded / exposures);
  }
}
