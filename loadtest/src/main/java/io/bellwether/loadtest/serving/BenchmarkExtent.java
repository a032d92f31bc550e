package io.bellwether.loadtest.serving;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param warmUp of each scenario, before its ramp; the first one, before which nothing is compiled,
 *     takes three times as long
 * @param step of a ramp
 * @param measured at half of the highest sustained rate; the floor's endpoint as long, the bare
 *     graph a third of it
 * @param swaps of the version under load, 0 for none
 * @param soak at half of the highest sustained rate; zero for none
 * @param hostile malformed and hostile requests, 0 for none
 * @param all whether scenarios are measured too of which nothing is required
 */
public record BenchmarkExtent(
    Duration warmUp,
    Duration step,
    Duration measured,
    int swaps,
    Duration soak,
    long hostile,
    boolean all) {

  public BenchmarkExtent {
    if (warmUp.isNegative()
        || step.isZero()
        || measured.isZero()
        || swaps < 0
        || hostile < 0
        || soak.isNegative()) {
      throw new IllegalArgumentException("steps and measurements take time, nothing is negative");
    }
  }

  /** What a published result rests on. */
  public static BenchmarkExtent full() {
    return new BenchmarkExtent(
        Duration.ofSeconds(15),
        Duration.ofSeconds(4),
        Duration.ofSeconds(60),
        1_000,
        Duration.ofMinutes(30),
        1_000_000,
        true);
  }

  /** Under four minutes on two cores. */
  public static BenchmarkExtent quick() {
    return new BenchmarkExtent(
        Duration.ofSeconds(4),
        Duration.ofMillis(1500),
        Duration.ofSeconds(5),
        100,
        Duration.ZERO,
        10_000,
        false);
  }

  public BenchmarkExtent withSwaps(int other) {
    return new BenchmarkExtent(warmUp, step, measured, other, soak, hostile, all);
  }

  public BenchmarkExtent withSoak(Duration other) {
    return new BenchmarkExtent(warmUp, step, measured, swaps, other, hostile, all);
  }

  public BenchmarkExtent withHostile(long other) {
    return new BenchmarkExtent(warmUp, step, measured, swaps, soak, other, all);
  }
}
