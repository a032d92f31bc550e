package io.bellwether.loadtest.serving;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Times with three significant digits from a microsecond to a minute. A longer one is counted as a
 * minute, and counted as an overflow: nothing is lost and nothing throws. Confined to one thread
 * while it records.
 */
final class Latencies {
  static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final int DIGITS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Histogram nanos = new Histogram(1_000, LONGEST_NANOS, DIGITS);
  private long overflows;

  void record(long value) {
    if (value > LONGEST_NANOS) {
      overflows++;
    }
    nanos.recordValue(Math.max(0, Math.min(LONGEST_NANOS, value)));
  }

  long count() {
    return nanos.getTotalCount();
  }

  /** Times that were longer than a minute. */
  long overflows() {
    return overflows;
  }

  /** The time that this share of all does not exceed, in milliseconds; 0 where there are none. */
  double millis(double percentile) {
    return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  double meanMillis() {
    return count() == 0 ? 0 : nanos.getMean() / NANOS_PER_MILLI;
  }

  double maxMillis() {
    return nanos.getMaxValue() / NANOS_PER_MILLI;
  }

  Percentiles percentiles() {
    return new Percentiles(
        count(), millis(50), millis(90), millis(99), millis(99.9), maxMillis(), overflows);
  }

  /** Writes the whole distribution as HdrHistogram's own table, which its plotters read. */
  void write(Path file) throws IOException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      nanos.outputPercentileDistribution(out, NANOS_PER_MILLI);
    }
  }

  /**
   * The usual points of a distribution.
   *
   * @param overflows times longer than a minute, which are counted as a minute
   */
  record Percentiles(
      long count,
      double p50Millis,
      double p90Millis,
      double p99Millis,
      double p999Millis,
      double maxMillis,
      long overflows) {}
}
