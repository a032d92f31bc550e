package io.bellwether.ingestion.history;

import io.bellwether.ingestion.erasure.ErasureFeed;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.redis.RedisValue;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest items of each subject and emits the whole history at every change, at once and
 * not when windows close: serving wants to know now. Keyed by surface and subject. A subject that
 * was not seen for {@code ttl} is forgotten, and so is what an erased one met until then. Confined
 * to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class KeepHistory extends KeyedProcessFunction<String, HistoryUpdate, RedisValue> {

  private static final long serialVersionUID = 1L;

  /** A subject gets one timer a day, not one per decision. */
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Duration ttl;
  private final SerializableSupplier<ErasureFeed> erasures;

  private transient Map<String, Rule> rules;
  private transient ErasureFeed erased;
  private transient ValueState<List<ShownItem>> recent;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param ttl in event time, after a subject's last decision
   */
  public KeepHistory(SerializableSupplier<List<Surface>> surfaces, Duration ttl) {
    this(surfaces, ttl, ErasureTopic.NONE);
  }

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param ttl in event time, after a subject's last decision
   * @param erasures who is to be forgotten
   */
  public KeepHistory(
      SerializableSupplier<List<Surface>> surfaces,
      Duration ttl,
      SerializableSupplier<ErasureFeed> erasures) {
    this.surfaces = surfaces;
    this.ttl = ttl;
    this.erasures = erasures;
  }

  private record Rule(RecentItems items, FeatureLayout layout) {}

  @Override
  public void open(OpenContext context) {
    erased = erasures.get();
    rules = new HashMap<>();
    for (Surface surface : surfaces.get()) {
      Surface.History history = surface.history();
      FeatureLayout layout = FeatureLayout.of(surface);
      RecentItems items =
          new RecentItems(history.last(), layout.itemWidth(), history.signals().size());
      rules.put(surface.name(), new Rule(items, layout));
    }
    recent =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>(
                    "items", Types.LIST(TypeInformation.of(ShownItem.class))));
  }

  @Override
  public void close() {
    if (erased != null) {
      erased.close();
    }
  }

  @Override
  public void processElement(HistoryUpdate update, Context context, Collector<RedisValue> out)
      throws Exception {
    Rule rule = rules.get(update.surface());
    if (rule == null) {
      return; // Its declaration was taken away while this was on the way.
    }
    long forgetUntil = erased.subjects().untilMicros(update.subjectId());
    List<ShownItem> before = keptOf(recent.value(), forgetUntil);
    if (update.decidedAtMicros() <= forgetUntil) {
      // Nothing is told: what Redis had of it is erased there.
      if (before.isEmpty()) {
        recent.clear();
      } else {
        recent.update(before);
      }
      return;
    }
    List<ShownItem> items = rule.items().after(before, update);
    recent.update(items);
    context.timerService().registerEventTimeTimer(forgetAtMillis(items));
    List<SubjectHistory.Entry> entries = items.stream().map(ShownItem::entry).toList();
    out.collect(
        RedisValue.of(
            SubjectHistory.redisKey(update.surface(), update.subjectId()),
            new SubjectHistory(entries).toBytes(rule.layout())));
  }

  private static List<ShownItem> keptOf(@Nullable List<ShownItem> items, long forgetUntil) {
    if (items == null) {
      return List.of();
    }
    return items.isEmpty() || items.get(0).decidedAtMicros() > forgetUntil
        ? items
        : items.stream().filter(item -> item.decidedAtMicros() > forgetUntil).toList();
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<RedisValue> out)
      throws Exception {
    List<ShownItem> items = recent.value();
    if (items != null && forgetAtMillis(items) <= time) {
      recent.clear();
    }
  }

  /** In whole days, rounded up. */
  private long forgetAtMillis(List<ShownItem> items) {
    long newest = items.isEmpty() ? 0 : items.get(items.size() - 1).decidedAtMicros() / 1000;
    return ((newest + ttl.toMillis()) / DAY_MILLIS + 1) * DAY_MILLIS;
  }
}
