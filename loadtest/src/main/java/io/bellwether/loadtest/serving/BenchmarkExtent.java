package io.bellwether.loadtest.serving;

import java.time.Duration;

/**
 * How long is measured.
 *
 * @param warmUp of each scenario, before its ramp
 * @param step of a ramp
 * @param measured at half of the highest sustained rate; the floor's endpoint as long, the bare
 *     graph a third of it
 * @param swaps of the version under load, 0 for none
 * @param soak at half of the highest sustained rate; zero for none
 */
public record BenchmarkExtent(
    Duration warmUp, Duration step, Duration measured, int swaps, Duration soak) {

  public BenchmarkExtent {
    if (warmUp.isNegative()
        || step.isZero()
        || measured.isZero()
        || swaps < 0
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
        Duration.ofMinutes(30));
  }

  /** Under four minutes on two cores. */
  public static BenchmarkExtent quick() {
    return new BenchmarkExtent(
        Duration.ofSeconds(9), Duration.ofMillis(1500), Duration.ofSeconds(8), 200, Duration.ZERO);
  }

  public BenchmarkExtent withSwaps(int other) {
    return new BenchmarkExtent(warmUp, step, measured, other, soak);
  }

  public BenchmarkExtent withSoak(Duration other) {
    return new BenchmarkExtent(warmUp, step, measured, swaps, other);
  }
}
