package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.DecisionHead;
import io.bellwether.ingestion.event.DecisionHeads;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.metrics.DecisionValues;
import io.bellwether.ingestion.metrics.ValuesWire;
import io.bellwether.ingestion.session.JoinedDecision;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Joins outcomes to their decision; keyed by decision id.
 *
 * <p>A decision goes on at once, with its bytes, so that they are held in one place only (where
 * sessions are linked). When its longest window is over, in event time, its signals follow; an
 * outcome that is received later sends them again, until the retention is over. An outcome that
 * comes before its decision waits; if the decision never comes, it is a dead letter. Of decisions
 * with one id the first one counts. The numbers of experiments hear of every change at once where a
 * decision comes from an experiment; of others, of which only covariates can tell, they hear
 * together with the signals. They alone hear of a flag's decisions. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
final class AttributeOutcomes extends KeyedProcessFunction<String, Event, JoinedDecision>
    implements CheckpointedFunction {

  static final OutputTag<DeadLetter> REFUSED =
      new OutputTag<>("refused", TypeInformation.of(DeadLetter.class));
  static final OutputTag<HistoryUpdate> HISTORY =
      new OutputTag<>("history", TypeInformation.of(HistoryUpdate.class));
  static final OutputTag<DecisionValues> VALUES = new OutputTag<>("values", ValuesWire.TYPE);

  /**
   * Outcomes of one decision: far above what a person can cause, so that no sender fills memory.
   */
  static final int MAX_OUTCOMES = 1_000;

  private static final long serialVersionUID = 1L;
  private static final String FLAG = "FLAG";
  private static final byte[] SENT_BEFORE = {};
  private static final Attributed NOTHING = new Attributed(List.of(), 0, 0, List.of());

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Retention retention;
  private final Duration patience;

  private transient Map<String, Rule> rules;
  private transient long longestWindowMillis;
  private transient DecisionHeads heads;
  private transient EventCodec<Decision> decisions;
  private transient EventCodec<Outcome> outcomes;

  private transient ValueState<Gathered> gathered;
  private transient EarlierJoins earlier;
  private transient boolean restored;

  private transient Counter duplicates;
  private transient Counter late;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param retention how long a decision is kept to be restated
   * @param patience how long an outcome waits for its decision after its window is over, in event
   *     time: that a partition was read late does not make a decision unknown
   */
  AttributeOutcomes(
      SerializableSupplier<List<Surface>> surfaces, Retention retention, Duration patience) {
    this.surfaces = surfaces;
    this.retention = retention;
    this.patience = patience;
  }

  /** A surface's part in all this. */
  private record Rule(
      Attribution attribution, SlateHistory history, List<String> signals, Duration retention) {

    static Rule of(Surface surface, Retention retention) {
      return new Rule(
          new Attribution(surface),
          new SlateHistory(surface),
          surface.signals().stream().map(Signal::name).toList(),
          retention.of(surface));
    }
  }

  @Override
  public void open(OpenContext context) {
    rules = new HashMap<>();
    for (Surface surface : surfaces.get()) {
      rules.put(surface.name(), Rule.of(surface, retention));
      longestWindowMillis = Math.max(longestWindowMillis, surface.longestWindow().toMillis());
    }
    heads = new DecisionHeads();
    decisions = EventCodec.of(Decision.class);
    outcomes = EventCodec.of(Outcome.class);

    gathered =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("gathered", TypeInformation.of(Gathered.class)));
    earlier = new EarlierJoins(getRuntimeContext());

    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    duplicates = metrics.counter("duplicateEvents");
    late = metrics.counter("lateEvents");
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {
    restored = context.isRestored();
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) {}

  /** What is held of the current key; null where that is nothing. */
  private @Nullable Gathered held() throws Exception {
    Gathered held = gathered.value();
    if (held == null && restored) {
      held = earlier.take();
      if (held != null) {
        gathered.update(held);
      }
    }
    return held;
  }

  @Override
  public void processElement(Event event, Context context, Collector<JoinedDecision> out)
      throws Exception {
    if (event.progressMillis() <= context.timerService().currentWatermark()) {
      late.inc();
    }
    Gathered held = held();
    if (event.record().topic().equals(Topics.DECISIONS)) {
      decided(event, held == null ? Gathered.nothing() : held, context, out);
    } else if (held == null || held.join() == null) {
      park(held == null ? Gathered.nothing() : held, event.record(), context);
    } else {
      gathered.update(happened(held, held.join(), event.record(), context));
    }
  }

  private void decided(Event event, Gathered held, Context context, Collector<JoinedDecision> out)
      throws Exception {
    if (held.join() != null) {
      duplicates.inc();
      return;
    }
    byte[] bytes = Objects.requireNonNull(event.record().value());
    DecisionHead decision = heads.read(bytes);
    Shown shown = Shown.by(decision);
    Rule rule = ruleOf(shown);
    long closesAt = millis(rule.attribution().closesAtMicros(shown)) + 1;
    long releaseAt =
        Math.max(closesAt, context.timerService().currentWatermark())
            + rule.retention().plus(patience).toMillis();
    boolean flag = decision.mode().equals(FLAG);
    boolean assigned = decision.assigned();
    JoinState state = new JoinState(shown, closesAt, releaseAt, false, false, flag, assigned);
    // One that is over already fires with the next watermark.
    context.timerService().registerEventTimeTimer(closesAt);
    if (assigned) {
      context.output(VALUES, values(state, rule, NOTHING, shown.decidedAtMicros()));
    }
    if (!flag) {
      out.collect(joined(shown, bytes, false, NOTHING));
      if (rule.history().isKept()) {
        rule.history()
            .shown(decisions.decode(bytes))
            .ifPresent(update -> context.output(HISTORY, update));
      }
    }

    if (!held.parked().isEmpty()) {
      context.timerService().deleteEventTimeTimer(held.givenUpAtMillis());
    }
    Gathered now = held.decided(state);
    for (Parked outcome : held.parked()) {
      now = happened(now, state, outcome.record(), context);
    }
    gathered.update(now);
  }

  /**
   * An outcome of a decision that is here.
   *
   * @return what is held now
   */
  private Gathered happened(Gathered held, JoinState state, Received record, Context context)
      throws Exception {
    Shown shown = state.shown();
    try {
      Rule rule = ruleOf(shown);
      Outcome outcome = decode(record);
      checkReceived(state, rule, outcome);
      if (!keep(held, rule.attribution().observe(shown, outcome))) {
        duplicates.inc();
        return held;
      }
      tell(held, state, rule, outcome, context);
    } catch (RefusedException e) {
      context.output(REFUSED, DeadLetter.of(record, e));
      return held;
    }
    if (!state.closed() || state.changed()) {
      return held;
    }
    // With the next watermark, so that outcomes that come together restate together.
    long soon = context.timerService().currentWatermark() + 1;
    context.timerService().registerEventTimeTimer(soon);
    return held.with(state.restated());
  }

  /**
   * By the outcome's own time, so that whether it still counts does not depend on how far event
   * time happens to be; the decision is kept a patience longer than that.
   */
  private static void checkReceived(JoinState state, Rule rule, Outcome outcome)
      throws RefusedException {
    long lateMillis = millis(outcome.getReceivedAtMicros()) - state.closesAtMillis();
    if (lateMillis > rule.retention().toMillis()) {
      throw new RefusedException(
          Reason.UNKNOWN_DECISION,
          "it was received "
              + Duration.ofMillis(lateMillis)
              + " after its decision's windows were over, more than "
              + rule.retention());
    }
  }

  /** Tells those who hear of an outcome before its window is over. */
  private void tell(Gathered held, JoinState state, Rule rule, Outcome outcome, Context context) {
    boolean history = !state.measuredOnly() && rule.history().tells(outcome.getSignal());
    if (!history && !state.assigned()) {
      return;
    }
    Attributed now = attributed(held, state, rule);
    if (state.assigned()) {
      context.output(VALUES, values(state, rule, now, outcome.getOccurredAtMicros()));
    }
    if (history) {
      context.output(HISTORY, rule.history().happened(state.shown(), now.signals()));
    }
  }

  /** Whether this changes what is known. */
  private static boolean keep(Gathered held, Observed outcome) throws RefusedException {
    List<Observed> observed = held.observed();
    int index = held.indexOf(outcome.outcomeId());
    if (index < 0) {
      if (observed.size() >= MAX_OUTCOMES) {
        throw new RefusedException(
            Reason.TOO_MANY_OUTCOMES,
            "the decision has " + observed.size() + " distinct outcomes already");
      }
      observed.add(outcome);
      return true;
    }
    Observed known = observed.get(index);
    Observed counts = known.or(outcome);
    observed.set(index, counts);
    return !counts.equals(known);
  }

  private void park(Gathered held, Received record, Context context) throws Exception {
    List<Parked> parked = held.parked();
    if (parked.size() >= MAX_OUTCOMES) {
      String detail = parked.size() + " outcomes wait for its decision";
      refuse(record, Reason.TOO_MANY_OUTCOMES, detail, context);
      return;
    }
    long windowEnd = millis(decode(record).getOccurredAtMicros()) + longestWindowMillis;
    long unknownAt =
        Math.max(windowEnd, context.timerService().currentWatermark()) + patience.toMillis() + 1;
    long first = held.givenUpAtMillis();
    parked.add(new Parked(record, unknownAt));
    gathered.update(held);
    // One timer for all that wait: that of the first.
    if (unknownAt < first) {
      context.timerService().registerEventTimeTimer(unknownAt);
      if (parked.size() > 1) {
        context.timerService().deleteEventTimeTimer(first);
      }
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<JoinedDecision> out)
      throws Exception {
    Gathered held = held();
    if (held == null) {
      return;
    }
    JoinState state = held.join();
    if (state == null) {
      giveUpParked(held, time, context);
      return;
    }
    if (state.changed() || (!state.closed() && state.closesAtMillis() <= time)) {
      close(held, state, context, out);
      gathered.update(held.with(state.emitted()));
      context.timerService().registerEventTimeTimer(state.releaseAtMillis());
    }
    if (state.releaseAtMillis() <= time) {
      gathered.clear();
    }
  }

  /** Tells what came of a decision, now that its windows are over. */
  private void close(
      Gathered held, JoinState state, OnTimerContext context, Collector<JoinedDecision> out) {
    Shown shown = state.shown();
    Rule rule = rules.get(shown.surface());
    Attributed now =
        rule == null ? NOTHING : rule.attribution().conclude(held.observed(), positions(shown));
    if (!state.measuredOnly()) {
      out.collect(joined(shown, SENT_BEFORE, true, now));
    }
    if (rule != null && (!state.assigned() || rule.attribution().hasSilences())) {
      context.output(VALUES, values(state, rule, now, shown.decidedAtMicros()));
    }
  }

  /** What is known now; silence means something once the windows were over. */
  private static Attributed attributed(Gathered held, JoinState state, Rule rule) {
    return state.closed()
        ? rule.attribution().conclude(held.observed(), positions(state.shown()))
        : rule.attribution().attribute(held.observed());
  }

  private static int positions(Shown shown) {
    return shown.itemIds().size();
  }

  private void giveUpParked(Gathered held, long time, OnTimerContext context) throws Exception {
    Gathered left = Gathered.nothing();
    for (Parked outcome : held.parked()) {
      if (outcome.unknownAtMillis() > time) {
        left.parked().add(outcome);
        continue;
      }
      String detail =
          "decision '"
              + context.getCurrentKey()
              + "' did not come while an outcome could count, or came so long ago that it is let"
              + " go";
      refuse(outcome.record(), Reason.UNKNOWN_DECISION, detail, context);
    }
    if (left.parked().isEmpty()) {
      gathered.clear();
      return;
    }
    gathered.update(left);
    context.timerService().registerEventTimeTimer(left.givenUpAtMillis());
  }

  private Rule ruleOf(Shown shown) throws RefusedException {
    Rule rule = rules.get(shown.surface());
    if (rule == null) {
      throw new RefusedException(
          Reason.UNKNOWN_SURFACE, "surface '" + shown.surface() + "' is no longer declared");
    }
    return rule;
  }

  private Outcome decode(Received record) throws UndecodableEventException {
    return outcomes.decode(Objects.requireNonNull(record.value()));
  }

  private static void refuse(Received record, Reason reason, String detail, Context context) {
    context.output(REFUSED, DeadLetter.of(record, new RefusedException(reason, detail)));
  }

  private static DecisionValues values(
      JoinState state, Rule rule, Attributed now, long newestMicros) {
    Shown shown = state.shown();
    return DecisionValues.of(
        shown.surface(),
        shown.subjectId(),
        shown.decisionId(),
        state.assigned(),
        shown.decidedAtMicros(),
        newestMicros,
        now.signals(),
        rule.signals());
  }

  private static JoinedDecision joined(
      Shown shown, byte[] decision, boolean closed, Attributed attributed) {
    return new JoinedDecision(
        shown.surface(),
        shown.subjectId(),
        shown.decisionId(),
        shown.decidedAtMicros(),
        decision,
        closed,
        attributed.signals(),
        attributed.outcomeCount(),
        attributed.outsideWindow(),
        attributed.outcomes());
  }

  private static long millis(long micros) {
    return Math.floorDiv(micros, 1000);
  }
}
