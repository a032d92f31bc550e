package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.event.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {

  private static final long START = 1_764_460_800_000L;

  private final Time time = new Time();
  private final Latest output = new Latest();
  private final PartitionProgress progress =
      new PartitionProgress(
          new EventTimeSettings(
              Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10)),
          time,
          time);

  @Test
  void nothingMovesBeforeEachPartitionHadTimeToShowItself() {
    event(0, START);
    pass(9_900);
    assertEquals(Long.MIN_VALUE, output.millis);
  }

  @Test
  void theSlowestBusyPartitionHoldsEventTime() {
    pass(9_900);
    event(0, START + 9_000);
    event(1, START + 4_000);
    pass(200);
    assertEquals(START + 4_000 - 2_001, output.millis);
  }

  @Test
  void whatSaysNothingAboutItsPartitionHoldsNothingBack() {
    pass(9_900);
    event(0, START + 9_000);
    event(1, Event.NO_PROGRESS);
    pass(200);
    assertEquals(START + 9_000 - 2_001, output.millis);
  }

  @Test
  void aQuietPartitionFollowsTheWallClock() {
    pass(10_000);
    event(0, START + 10_000);
    event(1, START + 10_000);
    for (int second = 1; second <= 8; second++) {
      pass(1_000);
      event(0, START + 10_000 + second * 1_000);
    }
    pass(200);
    // Partition 1 said nothing for 8.2 s, so it is where the clock was 5 s ago.
    assertEquals(START + 13_200 - 2_001, output.millis);
  }

  @Test
  void whenPeopleStopTheLastWindowsClose() {
    pass(10_000);
    event(0, START + 10_000);
    pass(60_000);
    assertEquals(START + 65_000 - 2_001, output.millis);
  }

  @Test
  void aSubtaskWithoutPartitionsHoldsNobodyBackAndDoesNotEndTime() {
    pass(30_000);
    assertEquals(START + 25_000 - 2_001, output.millis);
  }

  @Test
  void backPressureIsNotSilence() {
    pass(10_000);
    event(0, START + 10_000);
    pass(200);
    time.blocked(60_000);
    progress.onPeriodicEmit(output);
    assertEquals(START + 10_000 - 2_001, output.millis);
  }

  @Test
  void aSendersClockThatIsAheadDoesNotPullEventTimeAlong() {
    pass(10_000);
    event(0, START + 10_000 + 200_000);
    pass(200);
    assertEquals(START + 10_200 - 2_001, output.millis);
  }

  private void event(int partition, long millis) {
    Received record = new Received(Topics.OUTCOMES, partition, 0, millis, null, null);
    progress.onEvent(new Event("d", millis, record), millis, output);
  }

  private void pass(long millis) {
    for (long step = 0; step < millis; step += 100) {
      time.pass(100);
      progress.onPeriodicEmit(output);
    }
  }

  /** Both clocks; the second one stands still while the task is blocked. */
  private static final class Time extends Clock implements RelativeClock {
    private long wall = START;
    private long active;

    void pass(long millis) {
      wall += millis;
      active += millis;
    }

    void blocked(long millis) {
      wall += millis;
    }

    @Override
    public long relativeTimeMillis() {
      return active;
    }

    @Override
    public long relativeTimeNanos() {
      return TimeUnit.MILLISECONDS.toNanos(active);
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(wall);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** Like Flink's output, it never goes back. */
  private static final class Latest implements WatermarkOutput {
    private long millis = Long.MIN_VALUE;

    @Override
    public void emitWatermark(Watermark watermark) {
      millis = Math.max(millis, watermark.getTimestamp());
    }

    @Override
    public void markIdle() {
      throw new AssertionError("nobody is ever idle here");
    }

    @Override
    public void markActive() {
      throw new AssertionError("nobody was idle");
    }
  }
}
