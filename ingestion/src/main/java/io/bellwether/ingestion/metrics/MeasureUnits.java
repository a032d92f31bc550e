package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what each unit that met a variant did, and emits every change of it as a difference; keyed
 * by surface and subject.
 *
 * <p>The numbers depend on the set of exposures and values only, not on the order in which they
 * come: a decision's values count from when its exposure is there, and the other way round; the
 * variant that a unit met first, its slice and its covariates go by event time. What changes late
 * takes the earlier contribution back. An exposure counts once, however often it comes, for as long
 * as its decision is among the subject's newest ones. Of a decision that comes from no experiment
 * only the subject's past is kept.
 *
 * <p>A decision is held until its windows and twice the retention are over (attribution lets go of
 * it earlier), a subject's past as {@link MetricsSettings} says, and a unit until it was not seen
 * for {@link MetricsSettings#unitIdle}. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class MeasureUnits
    extends KeyedCoProcessFunction<String, Exposure, DecisionValues, NumbersChange> {

  private static final long serialVersionUID = 1L;

  /** A subject gets one timer for all decisions that are over by then. */
  private static final long RELEASE_MILLIS = Duration.ofSeconds(10).toMillis();

  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
  private static final double[] NONE = {};

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Retention retention;
  private final MetricsSettings settings;

  private transient Map<String, Rule> rules;
  private transient ValueState<List<String>> signals;
  private transient MapState<String, Recent> recent;
  private transient ValueState<Past> past;
  private transient MapState<String, Unit> units;
  private transient MapState<String, Entry> entries;

  private transient Counter duplicates;
  private transient Counter forced;
  private transient Counter crossovers;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param retention how long attribution keeps a decision to be restated
   */
  public MeasureUnits(
      SerializableSupplier<List<Surface>> surfaces, Retention retention, MetricsSettings settings) {
    this.surfaces = surfaces;
    this.retention = retention;
    this.settings = settings;
  }

  /**
   * A surface's part in all this.
   *
   * @param windowMicros its longest window
   * @param restatedMillis how long after that attribution can restate a decision
   */
  private record Rule(
      String surface,
      UnitColumns columns,
      UnitColumns interleaved,
      long windowMicros,
      long restatedMillis) {

    static Rule of(Surface surface, Retention retention) {
      return new Rule(
          surface.name(),
          UnitColumns.of(surface),
          UnitColumns.interleaved(surface),
          surface.longestWindow().toNanos() / 1000,
          retention.of(surface).toMillis());
    }

    UnitColumns columnsOf(Unit unit) {
      return unit.interleaved() ? interleaved : columns;
    }

    int signals() {
      return columns.signals().size();
    }
  }

  @Override
  public void open(OpenContext context) {
    rules = new HashMap<>();
    surfaces.get().forEach(surface -> rules.put(surface.name(), Rule.of(surface, retention)));
    signals =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("signals", Types.LIST(Types.STRING)));
    past =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("past", TypeInformation.of(Past.class)));
    recent = map("recent", Recent.class);
    units = map("units", Unit.class);
    entries = map("entries", Entry.class);

    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    duplicates = metrics.counter("duplicateExposures");
    forced = metrics.counter("forcedExposures");
    crossovers = metrics.counter("crossovers");
  }

  private <T> MapState<String, T> map(String name, Class<T> type) {
    return getRuntimeContext()
        .getMapState(new MapStateDescriptor<>(name, Types.STRING, TypeInformation.of(type)));
  }

  @Override
  public void processElement1(Exposure exposure, Context context, Collector<NumbersChange> out)
      throws Exception {
    Rule rule = rules.get(exposure.getSurface());
    if (rule == null) {
      return; // Its declaration was taken away while this was on the way.
    }
    relay(rule);
    boolean shadow = exposure.getKind() == ExposureKind.SHADOW;
    boolean counts = !shadow && !exposure.getForced();
    Met met = Met.by(exposure, counts ? Unit.key(exposure) : "");
    String id = exposure.getDecisionId();
    Recent decision = recent.get(id);
    if (decision == null) {
      decision = again(rule, exposure, shadow ? Past.SHADOW : Past.SHOWN, context.timerService());
    }
    if (decision == null || decision.knows(met)) {
      duplicates.inc();
      return;
    }
    decision = decision.with(met);
    recent.put(id, decision);
    remember(rule, id, decision, shadow ? Past.SHADOW : Past.SHOWN, out);

    String day = Unit.day(exposure.getExposedAtMicros());
    out.collect(
        NumbersChange.exposed(exposure, exposure.getSlice().isEmpty() ? day : exposure.getSlice()));
    if (counts) {
      meet(rule, exposure, decision, met, out);
    } else if (!shadow) {
      forced.inc();
    }
    hold(decision, exposure.getExposedAtMicros(), context.timerService());
  }

  /** A decision of which nothing is held: a new one, or one that was let go; null if it counted. */
  private @Nullable Recent again(Rule rule, Exposure exposure, byte kind, TimerService timers)
      throws Exception {
    long decidedAt = exposure.getDecidedAtMicros();
    Recent fresh = Recent.fresh(decidedAt, releaseAt(rule, decidedAt, timers));
    Past known = pastOr(Past.NONE);
    int row = known.find(Past.hash(exposure.getDecisionId()), decidedAt);
    if (row < 0) {
      return fresh;
    }
    return (known.met()[row] & kind) != 0 ? null : fresh.with(known.totalsOf(row, rule.signals()));
  }

  @Override
  public void processElement2(DecisionValues values, Context context, Collector<NumbersChange> out)
      throws Exception {
    Rule rule = rules.get(values.surface());
    if (rule == null) {
      return;
    }
    relay(rule);
    String id = values.decisionId();
    Recent known = recent.get(id);
    if (known == null && !values.assigned()) {
      keep(rule, values, context.timerService(), out);
      return;
    }
    if (known == null) {
      long decidedAt = values.decidedAtMicros();
      if (pastOr(Past.NONE).find(Past.hash(id), decidedAt) >= 0) {
        return; // A copy of a decision that was let go.
      }
      known = Recent.fresh(decidedAt, releaseAt(rule, decidedAt, context.timerService()));
    }
    Recent decision = known.with(values);
    recent.put(id, decision);
    remember(rule, id, decision, (byte) 0, out);
    for (Met met : decision.met()) {
      Unit unit = met.unitKey().isEmpty() ? null : units.get(met.unitKey());
      if (unit != null) {
        double[] more =
            minus(measured(rule, unit, decision, met), measured(rule, unit, known, met));
        if (more.length > 0) {
          replace(rule, met.unitKey(), unit, unit.plus(more), values.newestMicros(), out);
        }
      }
    }
    hold(decision, values.decidedAtMicros(), context.timerService());
  }

  /** A decision that no unit is known to have met a variant by. */
  private void keep(
      Rule rule, DecisionValues values, TimerService timers, Collector<NumbersChange> out)
      throws Exception {
    long decidedAt = values.decidedAtMicros();
    Recent decision = Recent.fresh(decidedAt, 0).with(values);
    boolean over = overAt(rule, decidedAt) < timers.currentWatermark();
    if (over && pastOr(Past.NONE).find(Past.hash(values.decisionId()), decidedAt) >= 0) {
      return; // A copy, after attribution let go of it and of what came of it.
    }
    remember(rule, values.decisionId(), decision, (byte) 0, out);
    timers.registerEventTimeTimer(idleAt(decidedAt));
  }

  /** A unit's first or next exposure. */
  private void meet(
      Rule rule, Exposure exposure, Recent decision, Met met, Collector<NumbersChange> out)
      throws Exception {
    long at = exposure.getExposedAtMicros();
    String experiment = exposure.getExperiment();
    Entry entry = entries.get(experiment);
    if (entry == null || entry.isAfter(at, exposure.getPreperiodMicros())) {
      long seenAt = entry == null ? at : entry.seenAtMicros();
      Entry earlier = Entry.at(at, exposure.getPreperiodMicros(), seenAt, rule.signals());
      enter(rule, experiment, entry, knownBefore(rule, earlier), at, out);
    } else {
      entries.put(experiment, entry.seenAt(at));
    }
    Unit known = units.get(met.unitKey());
    Unit before = known == null ? Unit.fresh(exposure, rule.signals()) : known;
    Unit after = before.met(exposure.getVariant(), at, measured(rule, before, decision, met));
    if (after.isCrossover() && !before.isCrossover()) {
      crossovers.inc();
    }
    replace(rule, met.unitKey(), known, after, at, out);
  }

  private Entry knownBefore(Rule rule, Entry entry) throws Exception {
    Entry known = entry;
    Past decisions = pastOr(Past.NONE);
    for (int row = 0; row < decisions.size(); row++) {
      if (known.covers(decisions.decidedAtMicros()[row], rule.windowMicros())) {
        known = known.with(1, decisions.totalsOf(row, rule.signals()));
      }
    }
    return known;
  }

  /** Keeps a decision for covariates, and adds what is news of it to those that it belongs to. */
  private void remember(
      Rule rule, String decisionId, Recent decision, byte met, Collector<NumbersChange> out)
      throws Exception {
    long decidedAt = decision.decidedAtMicros();
    long id = Past.hash(decisionId);
    double[] totals = decision.totals(rule.signals());
    Past known = pastOr(Past.NONE);
    int row = known.find(id, decidedAt);
    if (row < 0) {
      Past more = known.with(-row - 1, id, decidedAt, met, totals, settings.pastDecisions());
      if (more != known) {
        past.update(more);
        belongs(rule, decidedAt, 1, totals, out);
      }
      return;
    }
    double[] more = minus(totals, known.totalsOf(row, rule.signals()));
    known.met()[row] |= met;
    System.arraycopy(totals, 0, known.totals(), row * totals.length, totals.length);
    past.update(known);
    if (more.length > 0) {
      belongs(rule, decidedAt, 0, more, out);
    }
  }

  private void belongs(
      Rule rule, long decidedAt, int decisions, double[] totals, Collector<NumbersChange> out)
      throws Exception {
    List<String> covering = new ArrayList<>();
    for (Map.Entry<String, Entry> each : entries.entries()) {
      if (each.getValue().covers(decidedAt, rule.windowMicros())) {
        covering.add(each.getKey());
      }
    }
    for (String experiment : covering) {
      Entry before = entries.get(experiment);
      enter(rule, experiment, before, before.with(decisions, totals), decidedAt, out);
    }
  }

  /** Changes what was known of a subject before an experiment, for all its units in it. */
  private void enter(
      Rule rule,
      String experiment,
      @Nullable Entry before,
      Entry after,
      long newestMicros,
      Collector<NumbersChange> out)
      throws Exception {
    entries.put(experiment, after);
    if (before == null) {
      return;
    }
    for (Unit unit : units.values()) {
      if (unit.experiment().equals(experiment) && !unit.isCrossover()) {
        UnitColumns columns = rule.columnsOf(unit);
        double[] now = unit.row(columns, after);
        double[] earlier = unit.row(columns, before);
        if (!Arrays.equals(earlier, now)) {
          out.collect(change(rule, unit, earlier, now, newestMicros));
        }
      }
    }
  }

  private void replace(
      Rule rule,
      String key,
      @Nullable Unit before,
      Unit after,
      long newestMicros,
      Collector<NumbersChange> out)
      throws Exception {
    units.put(key, after);
    Entry entry = entries.get(after.experiment());
    if (before != null && before.isCountedWhere(after)) {
      if (!after.isCrossover()) {
        UnitColumns columns = rule.columnsOf(after);
        double[] earlier = before.row(columns, entry);
        out.collect(change(rule, after, earlier, after.row(columns, entry), newestMicros));
      }
      return;
    }
    if (before != null) {
      tell(rule, before, entry, true, newestMicros, out);
    }
    tell(rule, after, entry, false, newestMicros, out);
  }

  /** All that a unit adds to the numbers, or what it added. */
  private static void tell(
      Rule rule,
      Unit unit,
      Entry entry,
      boolean back,
      long newestMicros,
      Collector<NumbersChange> out) {
    if (!unit.isCrossover()) {
      double[] row = unit.row(rule.columnsOf(unit), entry);
      out.collect(change(rule, unit, back ? row : NONE, back ? NONE : row, newestMicros));
      return;
    }
    for (Unit.Variant other : unit.variants().subList(1, unit.variants().size())) {
      out.collect(change(rule, unit, other.name(), NONE, NONE, back ? -1 : 1, newestMicros));
    }
  }

  private static NumbersChange change(
      Rule rule, Unit unit, double[] before, double[] after, long newestMicros) {
    String variant = unit.variants().get(0).name();
    return change(rule, unit, variant, before, after, 0, newestMicros);
  }

  private static NumbersChange change(
      Rule rule,
      Unit unit,
      String variant,
      double[] before,
      double[] after,
      int crossovers,
      long newestMicros) {
    return new NumbersChange(
        rule.surface(),
        unit.experiment(),
        unit.phase(),
        variant,
        false,
        unit.slice(),
        unit.interleaved(),
        before,
        after,
        crossovers,
        0,
        0,
        0,
        0,
        0,
        0,
        newestMicros);
  }

  private static double[] measured(Rule rule, Unit unit, Recent decision, Met met) {
    return unit.interleaved()
        ? decision.credits(rule.signals(), met.teams())
        : decision.totals(rule.signals());
  }

  /** Empty where both are equal. */
  private static double[] minus(double[] now, double[] before) {
    if (Arrays.equals(now, before)) {
      return NONE;
    }
    double[] difference = new double[now.length];
    for (int i = 0; i < now.length; i++) {
      difference[i] = now[i] - before[i];
    }
    return difference;
  }

  private static long releaseAt(Rule rule, long decidedAtMicros, TimerService timers) {
    long closesAt = millis(decidedAtMicros + rule.windowMicros());
    long over = Math.max(closesAt, timers.currentWatermark()) + 2 * rule.restatedMillis();
    return (over / RELEASE_MILLIS + 1) * RELEASE_MILLIS;
  }

  /** When attribution lets go of a decision that came in time. */
  private static long overAt(Rule rule, long decidedAtMicros) {
    return millis(decidedAtMicros + rule.windowMicros()) + rule.restatedMillis();
  }

  private void hold(Recent decision, long seenAtMicros, TimerService timers) {
    timers.registerEventTimeTimer(decision.releaseAtMillis());
    timers.registerEventTimeTimer(idleAt(seenAtMicros));
  }

  /** In whole days, rounded up. */
  private long idleAt(long seenAtMicros) {
    return ((millis(seenAtMicros) + settings.unitIdle().toMillis()) / DAY_MILLIS + 1) * DAY_MILLIS;
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<NumbersChange> out)
      throws Exception {
    for (Recent decision : removed(recent, decision -> decision.releaseAtMillis() <= time)) {
      release(decision);
    }
    if (time % DAY_MILLIS == 0) {
      forget(time);
    }
  }

  private static <T> List<T> removed(MapState<String, T> from, Predicate<T> which)
      throws Exception {
    List<T> removed = new ArrayList<>();
    for (Iterator<Map.Entry<String, T>> each = from.iterator(); each.hasNext(); ) {
      T value = each.next().getValue();
      if (which.test(value)) {
        each.remove();
        removed.add(value);
      }
    }
    if (from.isEmpty()) {
      from.clear(); // An empty map is state too.
    }
    return removed;
  }

  private void release(Recent decision) throws Exception {
    for (Met met : decision.met()) {
      Unit unit = met.unitKey().isEmpty() ? null : units.get(met.unitKey());
      if (unit != null && unit.ofDecision()) {
        units.remove(met.unitKey());
      }
    }
  }

  private void forget(long time) throws Exception {
    removed(units, unit -> idleAt(unit.seenAtMicros()) <= time);
    removed(entries, entry -> idleAt(entry.seenAtMicros()) <= time);
    List<String> names = signals.value();
    if (names == null) {
      return;
    }
    long oldest = (time - settings.unitIdle().toMillis()) * 1000;
    Past kept = pastOr(Past.NONE).since(oldest, names.size());
    if (kept.size() > 0) {
      past.update(kept);
      return;
    }
    past.clear();
    if (units.isEmpty() && entries.isEmpty() && recent.isEmpty()) {
      signals.clear();
    }
  }

  /** Brings what is kept of this subject into the order of today's signals. */
  private void relay(Rule rule) throws Exception {
    List<String> before = signals.value();
    List<String> now = rule.columns().signals();
    if (now.equals(before)) {
      return;
    }
    signals.update(now);
    if (before == null) {
      return;
    }
    SignalsChange change = SignalsChange.between(before, now);
    past.update(pastOr(Past.NONE).relaid(change));
    for (Map.Entry<String, Recent> each : recent.entries()) {
      each.setValue(each.getValue().relaid(change));
    }
    for (Map.Entry<String, Unit> each : units.entries()) {
      each.setValue(each.getValue().relaid(change));
    }
    for (Map.Entry<String, Entry> each : entries.entries()) {
      each.setValue(each.getValue().relaid(change));
    }
  }

  private Past pastOr(Past none) throws Exception {
    Past known = past.value();
    return known == null ? none : known;
  }

  private static long millis(long micros) {
    return Math.floorDiv(micros, 1000);
  }
}
