package io.bellwether.loadtest.evaluation;

import io.bellwether.loadtest.evaluation.speed.SpeedMeasurement;

/**
 * How much a benchmark measures.
 *
 * @param logs per coverage study, at least 1
 * @param truthVisits simulated visits for the truth that cannot be calculated
 */
public record BenchmarkExtent(int logs, int truthVisits, SpeedMeasurement.Extent speed) {
  private static final int ROUNDS = 1_000_000;
  private static final int LARGE_ROUNDS = 10_000_000;

  public BenchmarkExtent {
    if (logs < 1 || truthVisits < 1) {
      throw new IllegalArgumentException(
          "at least one log and one visit, found %d and %d".formatted(logs, truthVisits));
    }
  }

  /**
   * What a published result rests on: with four thousand logs a share of 95 % is known to within
   * 0.35 % (one standard error), so that none of some eighty leaves 93 to 97 % by chance.
   */
  public static BenchmarkExtent full() {
    return new BenchmarkExtent(
        4_000, 400_000, new SpeedMeasurement.Extent(ROUNDS, 3, LARGE_ROUNDS));
  }

  /** Under three minutes on two cores; shares of coverage are known to within 1 % only. */
  public static BenchmarkExtent quick() {
    return new BenchmarkExtent(500, 50_000, new SpeedMeasurement.Extent(ROUNDS, 1, 0));
  }

  public BenchmarkExtent withLogs(int other) {
    return new BenchmarkExtent(other, truthVisits, speed);
  }

  /** With another size of the log that both tools evaluate. */
  public BenchmarkExtent withRounds(int other) {
    return new BenchmarkExtent(
        logs, truthVisits, new SpeedMeasurement.Extent(other, speed.runs(), speed.largeRounds()));
  }
}
