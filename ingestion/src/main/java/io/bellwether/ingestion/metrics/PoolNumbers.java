package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Sums what units did, keyed by variant and slice, and tells the sums at every whole second.
 *
 * <p>They are told for {@link #HEARD} after they changed last, so that a reader can tell "nothing
 * happened" from "nobody counts". Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class PoolNumbers extends KeyedProcessFunction<String, NumbersChange, VariantNumbers> {

  static final Duration PACE = Duration.ofSeconds(1);
  static final Duration HEARD = Duration.ofMinutes(10);

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Duration idle;

  private transient Map<String, UnitColumns> columns;
  private transient Map<String, UnitColumns> interleaved;
  private transient ValueState<Pool> pools;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param settings numbers outlive the last unit that could change them
   */
  public PoolNumbers(SerializableSupplier<List<Surface>> surfaces, MetricsSettings settings) {
    this.surfaces = surfaces;
    this.idle = settings.unitIdle().multipliedBy(2);
  }

  @Override
  public void open(OpenContext context) {
    columns = new HashMap<>();
    interleaved = new HashMap<>();
    for (Surface surface : surfaces.get()) {
      columns.put(surface.name(), UnitColumns.of(surface));
      interleaved.put(surface.name(), UnitColumns.interleaved(surface));
    }
    pools =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("pool", TypeInformation.of(Pool.class)));
  }

  @Override
  public void processElement(NumbersChange change, Context context, Collector<VariantNumbers> out)
      throws Exception {
    UnitColumns layout = (change.interleaved() ? interleaved : columns).get(change.surface());
    if (layout == null) {
      return; // Its declaration was taken away while this was on the way.
    }
    Pool known = pools.value();
    Pool pool = known == null ? Pool.of(change, layout) : known;
    pool.relay(layout);
    pool.apply(change, layout);
    long now = context.timerService().currentProcessingTime();
    pool.changedAtMillis = now;
    long due = nextSecond(now);
    if (pool.dueAtMillis == 0 || pool.dueAtMillis > due) {
      if (pool.dueAtMillis != 0) {
        context.timerService().deleteProcessingTimeTimer(pool.dueAtMillis);
      }
      pool.dueAtMillis = due;
      context.timerService().registerProcessingTimeTimer(due);
    }
    pools.update(pool);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<VariantNumbers> out)
      throws Exception {
    Pool pool = pools.value();
    if (pool == null) {
      return;
    }
    long now = context.timerService().currentProcessingTime();
    long forgetAt = pool.changedAtMillis + idle.toMillis();
    if (forgetAt <= now) {
      pools.clear();
      return;
    }
    out.collect(pool.numbers(time * 1000));
    boolean heard = now < pool.changedAtMillis + HEARD.toMillis();
    pool.dueAtMillis = heard ? nextSecond(now) : forgetAt;
    context.timerService().registerProcessingTimeTimer(pool.dueAtMillis);
    pools.update(pool);
  }

  /**
   * All keys write at the same moments, whether they changed or not. Otherwise a reader would see
   * one variant's traffic up to a second before another's, and call that an uneven split.
   */
  private static long nextSecond(long nowMillis) {
    return (nowMillis / PACE.toMillis() + 1) * PACE.toMillis();
  }
}
