package io.bellwether.evaluation.experiment;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * What was counted of one variant in one phase: every unit once, with its totals. Immutable.
 *
 * @param moments of the units' totals
 * @param distributions of a unit's total, by column
 * @param forced exposures by override, in no other number
 * @param crossovers units seen in another variant of the phase first, in no other number
 * @param slices the moments by the day of a unit's first exposure, or by block
 */
public record VariantSample(
    String variant,
    Moments moments,
    Map<String, Distribution> distributions,
    Health health,
    long forced,
    long crossovers,
    Map<String, Moments> slices) {

  public VariantSample {
    distributions = Map.copyOf(distributions);
    slices = Map.copyOf(slices);
    if (forced < 0 || crossovers < 0) {
      throw new IllegalArgumentException(
          "%d forced exposures, %d crossovers".formatted(forced, crossovers));
    }
  }

  /** Of units that were first exposed in one slice. */
  public static VariantSample ofSlice(
      String variant,
      String slice,
      Moments moments,
      Map<String, Distribution> distributions,
      Health health,
      long forced,
      long crossovers) {
    return new VariantSample(
        variant, moments, distributions, health, forced, crossovers, Map.of(slice, moments));
  }

  /** Of units alone: no distributions, health or slices. */
  public static VariantSample of(String variant, Moments moments) {
    return new VariantSample(variant, moments, Map.of(), Health.none(), 0, 0, Map.of());
  }

  /** Of these units and the other's, which are different ones of the same variant. */
  public VariantSample plus(VariantSample other) {
    return new VariantSample(
        variant,
        moments.plus(other.moments),
        merged(distributions, other.distributions, Distribution::plus),
        health.plus(other.health),
        forced + other.forced,
        crossovers + other.crossovers,
        merged(slices, other.slices, Moments::plus));
  }

  public long units() {
    return moments.units();
  }

  private static <T> Map<String, T> merged(
      Map<String, T> first, Map<String, T> second, BinaryOperator<T> join) {
    Map<String, T> merged = new HashMap<>(first);
    second.forEach((key, value) -> merged.merge(key, value, join));
    return merged;
  }
}
