package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
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
 * before those that are not, up to {@link #linkedUntil}. What is linked already is looked at again
 * from where something changed until nothing does. So the work per event does not grow with the
 * number of decisions that a subject has. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class LinkSessions extends KeyedProcessFunction<String, JoinedDecision, Transition> {

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Retention retention;
  private final Duration patience;

  private transient Map<String, Rule> rules;
  private transient Rule undeclared;
  private transient EventCodec<Decision> codec;
  private transient Timeline kept;
  private transient ValueState<String> linkedUntil;
  private transient ListState<String> touched;
  private transient ValueState<Link> before;
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
      return joined.signals().stream()
          .anyMatch(s -> s.getValue() == 1 && endsWith.filter(s.getSignal()::equals).isPresent());
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
    kept = new Timeline(getRuntimeContext());
    linkedUntil =
        getRuntimeContext().getState(new ValueStateDescriptor<>("linked-until", Types.STRING));
    touched = getRuntimeContext().getListState(new ListStateDescriptor<>("touched", Types.STRING));
    before =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("before", TypeInformation.of(Link.class)));
    restated = getRuntimeContext().getMetricGroup().counter("restatedTransitions");
  }

  @Override
  public void processElement(JoinedDecision joined, Context context, Collector<Transition> out)
      throws Exception {
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
      context.timerService().registerEventTimeTimer(releaseAt);
    } else {
      kept.replace(known.with(joined, ended));
      if (known.link() != null) {
        touched.add(known.id());
      }
    }
    context.timerService().registerEventTimeTimer(due);
  }

  /** Marks what a new decision changes among those that are linked. */
  private void touch(KeptDecision inserted) throws Exception {
    KeptDecision earlier = kept.get(inserted.earlierId());
    if (earlier != null && earlier.link() != null) {
      touched.add(earlier.id()); // Its next decision may be this one.
      return;
    }
    KeptDecision last = kept.get(linkedUntil.value());
    if (last != null && inserted.isBefore(last)) {
      touched.add(inserted.id());
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Transition> out)
      throws Exception {
    KeptDecision oldest = kept.oldest();
    if (oldest == null) {
      return;
    }
    Rule rule = rules.getOrDefault(oldest.joined().surface(), undeclared);
    for (KeptDecision decision : inTime(touched.get())) {
      linkAgain(decision.id(), rule, out);
    }
    touched.clear();
    linkOn(rule, context.timerService().currentWatermark(), out);
    release(time);
  }

  private List<KeptDecision> inTime(Iterable<String> ids) throws Exception {
    Map<String, KeptDecision> distinct = new HashMap<>();
    for (String id : ids) {
      KeptDecision decision = kept.get(id);
      if (decision != null) {
        distinct.put(id, decision);
      }
    }
    return distinct.values().stream().sorted(Comparator.comparing(KeptDecision::moment)).toList();
  }

  /** Links what is due now. */
  private void linkOn(Rule rule, long watermark, Collector<Transition> out) throws Exception {
    KeptDecision last = kept.get(linkedUntil.value());
    KeptDecision next = last == null ? kept.oldest() : kept.get(last.laterId());
    while (next != null && rule.dueMillis(next.joined().decidedAtMicros()) <= watermark) {
      link(next, rule, out);
      linkedUntil.update(next.id());
      next = kept.get(next.laterId());
    }
  }

  /** Links anew from a decision on which something changed, as far as that changes anything. */
  private void linkAgain(String from, Rule rule, Collector<Transition> out) throws Exception {
    String last = linkedUntil.value();
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
    return earlier == null || isTooLate(earlier) ? before.value() : earlier.link();
  }

  /** Whether decisions that came after it in time were let go already. */
  private boolean isTooLate(KeptDecision decision) throws Exception {
    Link released = before.value();
    return released != null && decision.moment().compareTo(released.moment()) < 0;
  }

  /** Lets go from the oldest on, so that the place of the last one released links the rest. */
  private void release(long time) throws Exception {
    KeptDecision oldest = kept.oldest();
    while (oldest != null && oldest.releaseAtMillis() <= time && oldest.revisions() > 0) {
      if (!isTooLate(oldest)) {
        before.update(oldest.link());
      }
      if (oldest.id().equals(linkedUntil.value())) {
        linkedUntil.clear();
      }
      kept.removeOldest();
      oldest = kept.oldest();
    }
    if (oldest == null) {
      // Whatever comes now is further away than the gap.
      before.clear();
    }
  }

  private Transition transition(KeptDecision decision, Link link, DueTime due)
      throws UndecodableEventException {
    if (decision.revisions() > 0) {
      restated.inc();
    }
    JoinedDecision joined = decision.joined();
    return Transition.newBuilder()
        .setDecision(codec.decode(joined.decision()))
        .setSignals(joined.signals())
        .setOutcomeCount(joined.outcomeCount())
        .setOutsideWindow(joined.outsideWindow())
        .setSessionId(link.sessionId())
        .setStep(link.step())
        .setNextDecisionId(link.nextDecisionId())
        .setTerminated(link.terminated())
        .setTruncated(link.truncated())
        .setRevision(decision.revisions())
        .setJoinedAtMicros(due.joinedAtMicros(joined.decidedAtMicros(), joined.outcomes()))
        .setOutcomes(joined.outcomes())
        .build();
  }
}
