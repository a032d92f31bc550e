package io.bellwether.ingestion.attribution;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.RelativeClock;

/**
 * Event time of one subtask: that of the partition which is furthest behind, and of the wall clock
 * where nothing comes.
 *
 * <p>A busy partition is as far as its latest event, less the disorder that is allowed for. One
 * from which nothing came for {@code idleAfter} (while there was room for it: back pressure does
 * not count) is as far as the wall clock was that long ago, so that the last windows close after
 * people have stopped. A subtask without any partition follows the wall clock in the same way, but
 * nobody moves before {@code settle} is over: after a restart each partition has that long to show
 * how far behind it is. Confined to one thread.
 */
final class PartitionProgress implements WatermarkGenerator<Event> {

  private final EventTimeSettings settings;
  private final Clock clock;
  private final RelativeClock activity;
  private final long settledAtMillis;
  private final Map<Partition, Progress> partitions = new HashMap<>();

  private long activeAtMillis;

  private record Partition(String topic, int number) {}

  private static final class Progress {
    private long latestMillis = Long.MIN_VALUE;
    private long heardAtMillis;
  }

  /**
   * @param clock event time's clock
   * @param activity stands still while the subtask cannot take anything
   */
  PartitionProgress(EventTimeSettings settings, Clock clock, RelativeClock activity) {
    this.settings = settings;
    this.clock = clock;
    this.activity = activity;
    this.activeAtMillis = activity.relativeTimeMillis();
    this.settledAtMillis = activeAtMillis + settings.settle().toMillis();
  }

  @Override
  public void onEvent(Event event, long timestampMillis, WatermarkOutput output) {
    if (event.progressMillis() == Event.NO_PROGRESS) {
      return;
    }
    Partition partition = new Partition(event.record().topic(), event.record().partition());
    Progress progress = partitions.computeIfAbsent(partition, p -> new Progress());
    progress.latestMillis = Math.max(progress.latestMillis, timestampMillis);
    // Reading the clock per event would cost more than it tells.
    progress.heardAtMillis = activeAtMillis;
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    activeAtMillis = activity.relativeTimeMillis();
    if (activeAtMillis < settledAtMillis) {
      return;
    }
    long idleMillis = settings.idleAfter().toMillis();
    long nowMillis = clock.millis();
    long quietMillis = nowMillis - idleMillis;
    long furthestBehind = quietMillis;
    boolean first = true;
    for (Progress progress : partitions.values()) {
      boolean idle = activeAtMillis - progress.heardAtMillis > idleMillis;
      long reached = idle ? Math.max(progress.latestMillis, quietMillis) : progress.latestMillis;
      furthestBehind = first ? reached : Math.min(furthestBehind, reached);
      first = false;
    }
    // One sender's clock may run ahead; event time does not.
    furthestBehind = Math.min(furthestBehind, nowMillis);
    output.emitWatermark(new Watermark(furthestBehind - settings.disorder().toMillis() - 1));
  }
}
