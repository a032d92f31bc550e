package io.bellwether.ingestion.attribution;

import java.time.Clock;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.util.clock.RelativeClock;

/**
 * How far one partition has been read, by the time at which its records were written; Flink reads
 * none much further ahead than the one that is furthest behind.
 *
 * <p>This keeps partitions together while a job catches up. Outcomes are many times smaller than
 * decisions, so that days of them would be read before the decisions of the same days, and all of
 * them would have to wait in memory. What is written now is never held back: all partitions are at
 * the present then. Only reading follows this time; windows follow {@link PartitionProgress}.
 * Confined to one thread.
 */
final class ReadingPace implements WatermarkGenerator<Received> {

  /** Far more than live partitions differ by, and little to hold. */
  private static final Duration LEAD = Duration.ofMinutes(1);

  /** How often readers are told how far they may go; they overshoot by what they read in it. */
  private static final Duration TOLD_EVERY = Duration.ofMillis(250);

  /** Nobody waits for a partition from which nothing came for so long, or nothing yet. */
  static final Duration IDLE_AFTER = Duration.ofSeconds(5);

  private static final String GROUP = "records";

  private final Clock clock;
  private final RelativeClock activity;
  private long latestMillis = Long.MIN_VALUE;
  private long activeAtMillis;
  private long heardAtMillis;

  /**
   * @param clock says what is in the future
   * @param activity stands still while nothing may be read from the partition
   */
  ReadingPace(Clock clock, RelativeClock activity) {
    this.clock = clock;
    this.activity = activity;
    this.activeAtMillis = activity.relativeTimeMillis();
  }

  /**
   * The pace of all partitions.
   *
   * @param clock serializable
   */
  static WatermarkStrategy<Received> of(Clock clock) {
    return WatermarkStrategy.<Received>forGenerator(
            context -> new ReadingPace(clock, context.getInputActivityClock()))
        .withTimestampAssigner((record, ignored) -> record.writtenAtMillis())
        .withWatermarkAlignment(GROUP, LEAD, TOLD_EVERY);
  }

  @Override
  public void onEvent(Received record, long writtenAtMillis, WatermarkOutput output) {
    latestMillis = Math.max(latestMillis, writtenAtMillis);
    // Reading the clock per record would cost more than it tells.
    heardAtMillis = activeAtMillis;
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    activeAtMillis = activity.relativeTimeMillis();
    boolean idle = activeAtMillis - heardAtMillis > IDLE_AFTER.toMillis();
    if (idle || latestMillis == Long.MIN_VALUE) {
      output.markIdle();
      return;
    }
    // What claims to be written in the future must not hold its partition until then.
    output.emitWatermark(new Watermark(Math.min(latestMillis, clock.millis())));
  }
}
