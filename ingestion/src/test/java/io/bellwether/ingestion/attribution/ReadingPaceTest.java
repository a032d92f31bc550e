package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.event.Topics;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

class ReadingPaceTest {

  private static final long NOW = 1_764_460_800_000L;

  private final Activity activity = new Activity();
  private final Told told = new Told();
  private final ReadingPace pace =
      new ReadingPace(Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC), activity);

  @Test
  void aPartitionIsAsFarAsItsLatestRecordWasWritten() {
    read(NOW - 3_000);
    read(NOW - 5_000);
    assertEquals("at " + (NOW - 3_000), told());
  }

  @Test
  void aRecordFromTheFutureDoesNotHoldItsPartitionUntilThen() {
    read(NOW + 3_600_000);
    assertEquals("at " + NOW, told());
  }

  @Test
  void nobodyWaitsForAPartitionWithoutRecords() {
    assertEquals("idle", told());
    read(NOW - 3_000);
    told();
    activity.millis += ReadingPace.IDLE_AFTER.toMillis();
    assertEquals("at " + (NOW - 3_000), told());
    activity.millis += 1;
    assertEquals("idle", told());
    read(NOW - 2_000);
    assertEquals("at " + (NOW - 2_000), told());
  }

  private void read(long writtenAtMillis) {
    pace.onEvent(
        new Received(Topics.OUTCOMES, 0, 0, writtenAtMillis, null, null), writtenAtMillis, told);
  }

  private String told() {
    pace.onPeriodicEmit(told);
    return told.last;
  }

  private static final class Activity implements RelativeClock {
    private long millis;

    @Override
    public long relativeTimeMillis() {
      return millis;
    }

    @Override
    public long relativeTimeNanos() {
      return TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  private static final class Told implements WatermarkOutput {
    private String last = "nothing";

    @Override
    public void emitWatermark(Watermark watermark) {
      last = "at " + watermark.getTimestamp();
    }

    @Override
    public void markIdle() {
      last = "idle";
    }

    @Override
    public void markActive() {
      last = "active";
    }
  }
}
