package io.bellwether.loadtest.experiment;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param experiments simulated ones per study, at least 1
 * @param minutes looks at each
 * @param rounds times that all planted policies are rolled out, each on a system of its own
 * @param live how they are rolled out
 */
public record BenchmarkExtent(int experiments, int minutes, int rounds, Live live) {

  /**
   * How planted policies are rolled out.
   *
   * @param people who come at once
   * @param timeout of a round
   */
  public record Live(int people, Duration timeout) {}

  public BenchmarkExtent {
    if (experiments < 1 || minutes < 1 || rounds < 0) {
      throw new IllegalArgumentException(
          "at least one experiment and look, found %d, %d and %d rounds"
              .formatted(experiments, minutes, rounds));
    }
  }

  /** What a published result rests on. */
  public static BenchmarkExtent full() {
    return new BenchmarkExtent(1_000, 500, 4, new Live(12, Duration.ofMinutes(12)));
  }

  /** Under ten minutes on two cores. */
  public static BenchmarkExtent quick() {
    return new BenchmarkExtent(1_000, 120, 1, new Live(12, Duration.ofMinutes(7)));
  }

  public BenchmarkExtent withExperiments(int other) {
    return new BenchmarkExtent(other, minutes, rounds, live);
  }

  public BenchmarkExtent withRounds(int other) {
    return new BenchmarkExtent(experiments, minutes, other, live);
  }
}
