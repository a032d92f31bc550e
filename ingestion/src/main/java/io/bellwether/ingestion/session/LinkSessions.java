package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Links each decision to the same subject's next one and emits its transition, in event time, when
 * the surface's longest window and session gap have passed; keyed by surface and subject.
 *
 * <p>A decision is held for the retention after that. Until then, whatever changes its signals or
 * its place (a late outcome, a late decision between two others, a late end of session) emits it
 * again with the next revision. Of the decisions that are let go, the last one's place is kept, so
 * that a long session goes on; a decision that is older than that one becomes a session of its own.
 *
 * <p>A subject's decisions are linked in the order of time, each once: those that are linked come
 * before those that are not, up to {@link Subject#linkedUntil}. What is linked already is looked at
 * again from where something changed until nothing does. So the work per event does not grow with
 * the number of decisions that a subject has; and a subject has one timer at a time, for the first
 * of its decisions that is due or to be let go. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class LinkSessions extends KeyedProcessFunction<String, JoinedDecision, Transition>
    implements CheckpointedFunction {

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Retention retention;
  private final Duration patience;

  private transient Map<String, Rule> rules;
  private transient Rule undeclared;
  private transient EventCodec<Decision> codec;
  private transient boolean restored;
  private transient Timeline kept;
  private transient Counter restated;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param retention how long a decision is kept to be restated
   * @param patience how much longer, because what restates it may be read later than it was sent
   */
  public LinkSessions(
      SerializableSupplier<List<Surface>> surfaces, Retention retention, Duration patience) {
    this.surfaces = surfaces;
    this.retention = retention;
    this.patience = patience;
  }

  /** A surface's part in all this. */
  private record Rule(
      SessionLinks links, Optional<String> endsWith, DueTime due, Duration retention) {

    long dueMillis(long decidedAtMicros) {
      return due.dueMillis(decidedAtMicros);
    }

    boolean ended(JoinedDecision joined) {
      if (endsWith.isEmpty()) {
        return false;
      }
      String end = endsWith.get();
      return joined.signals().stream()
          .anyMatch(signal -> signal.getValue() == 1 && end.equals(signal.getSignal()));
    }
  }

  @Override
  public void open(OpenContext context) {
    rules = new HashMap<>();
    for (Surface surface : surfaces.get()) {
      rules.put(
          surface.name(),
          new Rule(
              new SessionLinks(surface.sessions().gap()),
              surface.sessions().endsWith(),
              DueTime.of(surface),
              retention.of(surface).plus(patience)));
    }
    // Decisions of a surface whose declaration was taken away are let go as they are.
    undeclared =
        new Rule(
            new SessionLinks(Duration.ZERO),
            Optional.empty(),
            new DueTime(Duration.ZERO),
            retention.least().plus(patience));
    codec = EventCodec.of(Decision.class);
    kept = new Timeline(getRuntimeContext(), restored);
    restated = getRuntimeContext().getMetricGroup().counter("restatedTransitions");
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {
    restored = context.isRestored();
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) {}

  @Override
  public void processElement(JoinedDecision joined, Context context, Collector<Transition> out)
      throws Exception {
    kept.enter();
    add(joined, context);
    kept.leave();
  }

  private void add(JoinedDecision joined, Context context) throws Exception {
    Rule rule = rules.getOrDefault(joined.surface(), undeclared);
    KeptDecision known = kept.get(joined.decisionId());
    if (known == null && joined.decision().length == 0) {
      return; // Attribution lets go of a decision first, so this is an update of nothing.
    }
    long soon = context.timerService().currentWatermark() + 1;
    long due = Math.max(rule.dueMillis(joined.decidedAtMicros()), soon);
    boolean ended = rule.ended(joined);
    if (known == null) {
      long releaseAt = due + rule.due().after().toMillis() + rule.retention().toMillis();
      touch(kept.insert(KeptDecision.first(joined, ended, releaseAt)));
    } else {
      kept.replace(known.with(joined, ended));
      if (known.link() != null) {
        kept.touch(known);
      }
    }
    if (due < kept.subject().wakesAtMillis()) {
      wakeAt(due, context);
    }
  }

  private void wakeAt(long millis, Context context) {
    kept.become(kept.subject().wakingAt(millis));
    context.timerService().registerEventTimeTimer(millis);
  }

  /** Marks what a new decision changes among those that are linked. */
  private void touch(KeptDecision inserted) throws Exception {
    KeptDecision earlier = kept.get(inserted.earlierId());
    if (earlier != null && earlier.link() != null) {
      kept.touch(earlier); // Its next decision may be this one.
      return;
    }
    KeptDecision last = kept.get(kept.subject().linkedUntil());
    if (last != null && inserted.isBefore(last)) {
      kept.touch(inserted);
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Transition> out)
      throws Exception {
    kept.enter();
    if (!kept.isEmpty()) {
      wake(context, out);
    }
    kept.leave();
  }

  private void wake(OnTimerContext context, Collector<Transition> out) throws Exception {
    long watermark = context.timerService().currentWatermark();
    KeptDecision first = kept.get(kept.subject().oldestId());
    Rule rule =
        first == null ? undeclared : rules.getOrDefault(first.joined().surface(), undeclared);
    List<String> touched = kept.subject().touched();
    if (!touched.isEmpty()) {
      for (KeptDecision decision : inTime(touched)) {
        linkAgain(decision.id(), rule, out);
      }
      touched.clear();
    }
    KeptDecision next = linkOn(rule, watermark, out);
    release(watermark);
    KeptDecision oldest = kept.oldest();
    if (oldest == null) {
      return;
    }
    long wakesAt = next == null ? Long.MAX_VALUE : rule.dueMillis(next.joined().decidedAtMicros());
    // One that could not be let go, since its windows are not over, is looked at when they are.
    if (oldest.releaseAtMillis() > watermark) {
      wakesAt = Math.min(wakesAt, oldest.releaseAtMillis());
    }
    kept.become(kept.subject().wakingAt(wakesAt));
    if (wakesAt < Long.MAX_VALUE) {
      context.timerService().registerEventTimeTimer(wakesAt);
    }
  }

  private List<KeptDecision> inTime(List<String> ids) throws Exception {
    Map<String, KeptDecision> distinct = new HashMap<>();
    for (String id : ids) {
      KeptDecision decision = kept.get(id);
      if (decision != null) {
        distinct.put(id, decision);
      }
    }
    List<KeptDecision> ordered = new ArrayList<>(distinct.values());
    ordered.sort(KeptDecision.IN_TIME);
    return ordered;
  }

  /**
   * Links what is due now.
   *
   * @return the first that is not due; null where all are linked
   */
  private @Nullable KeptDecision linkOn(Rule rule, long watermark, Collector<Transition> out)
      throws Exception {
    KeptDecision last = kept.get(kept.subject().linkedUntil());
    KeptDecision next = last == null ? kept.oldest() : kept.get(last.laterId());
    while (next != null && rule.dueMillis(next.joined().decidedAtMicros()) <= watermark) {
      link(next, rule, out);
      kept.become(kept.subject().linkedUntil(next.id()));
      next = kept.get(next.laterId());
    }
    return next;
  }

  /** Links anew from a decision on which something changed, as far as that changes anything. */
  private void linkAgain(String from, Rule rule, Collector<Transition> out) throws Exception {
    String last = kept.subject().linkedUntil();
    KeptDecision decision = kept.get(from);
    boolean moved = true;
    while (decision != null && moved) {
      boolean samePlace = link(decision, rule, out);
      // A late end changes the place of the next one, though not its own.
      moved = !samePlace || decision.id().equals(from);
      decision = decision.id().equals(last) ? null : kept.get(decision.laterId());
    }
  }

  /**
   * Links one decision and emits what is news.
   *
   * @return whether it has the place that it had before
   */
  private boolean link(KeptDecision decision, Rule rule, Collector<Transition> out)
      throws Exception {
    KeptDecision later = kept.get(decision.laterId());
    Link link =
        isTooLate(decision)
            ? rule.links().link(null, decision.moment(), null)
            : rule.links()
                .link(previous(decision), decision.moment(), later == null ? null : later.moment());
    KeptDecision linked = decision.linked(link);
    if (linked.changed() && linked.joined().closed()) {
      out.collect(transition(linked, link, rule.due()));
      linked = linked.emitted();
    }
    kept.replace(linked);
    return decision.link() != null && link.samePlace(decision.link());
  }

  private @Nullable Link previous(KeptDecision decision) throws Exception {
    KeptDecision earlier = kept.get(decision.earlierId());
    return earlier == null || isTooLate(earlier) ? kept.subject().before() : earlier.link();
  }

  /** Whether decisions that came after it in time were let go already. */
  private boolean isTooLate(KeptDecision decision) {
    Link released = kept.subject().before();
    return released != null && decision.moment().compareTo(released.moment()) < 0;
  }

  /** Lets go from the oldest on, so that the place of the last one released links the rest. */
  private void release(long watermark) throws Exception {
    KeptDecision oldest = kept.oldest();
    while (oldest != null && oldest.releaseAtMillis() <= watermark && oldest.revisions() > 0) {
      if (!isTooLate(oldest)) {
        kept.become(kept.subject().after(oldest.link()));
      }
      if (oldest.id().equals(kept.subject().linkedUntil())) {
        kept.become(kept.subject().linkedUntil(null));
      }
      // With the last one the place goes too: whatever comes now is further away than the gap.
      kept.removeOldest();
      oldest = kept.oldest();
    }
  }

  private Transition transition(KeptDecision decision, Link link, DueTime due)
      throws UndecodableEventException {
    if (decision.revisions() > 0) {
      restated.inc();
    }
    JoinedDecision joined = decision.joined();
    // The builder would look up the default of each field.
    return new Transition(
        codec.decode(joined.decision()),
        joined.signals(),
        joined.outcomeCount(),
        joined.outsideWindow(),
        link.sessionId(),
        link.step(),
        link.nextDecisionId(),
        link.terminated(),
        link.truncated(),
        decision.revisions(),
        due.joinedAtMicros(joined.decidedAtMicros(), joined.outcomes()),
        joined.outcomes());
  }
}
