package io.bellwether.ingestion.history;

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

/**
 * Keeps the newest items of each subject and emits the whole history at every change, at once and
 * not when windows close: serving wants to know now. Keyed by surface and subject. A subject that
 * was not seen for {@code ttl} is forgotten. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class KeepHistory extends KeyedProcessFunction<String, HistoryUpdate, RedisValue> {

  private static final long serialVersionUID = 1L;

  /** A subject gets one timer a day, not one per decision. */
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Duration ttl;

  private transient Map<String, Rule> rules;
  private transient ValueState<List<ShownItem>> recent;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param ttl in event time, after a subject's last decision
   */
  public KeepHistory(SerializableSupplier<List<Surface>> surfaces, Duration ttl) {
    this.surfaces = surfaces;
    this.ttl = ttl;
  }

  private record Rule(RecentItems items, FeatureLayout layout) {}

  @Override
  public void open(OpenContext context) {
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
  public void processElement(HistoryUpdate update, Context context, Collector<RedisValue> out)
      throws Exception {
    Rule rule = rules.get(update.surface());
    if (rule == null) {
      return; // Its declaration was taken away while this was on the way.
    }
    List<ShownItem> before = recent.value();
    List<ShownItem> items = rule.items().after(before == null ? List.of() : before, update);
    recent.update(items);
    context.timerService().registerEventTimeTimer(forgetAtMillis(items));
    List<SubjectHistory.Entry> entries =
        items.stream()
            .map(
                i ->
                    new SubjectHistory.Entry(
                        i.decidedAtMicros(), i.decisionId(), i.item(), i.signals()))
            .toList();
    out.collect(
        RedisValue.of(
            SubjectHistory.redisKey(update.surface(), update.subjectId()),
            new SubjectHistory(entries).toBytes(rule.layout())));
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
