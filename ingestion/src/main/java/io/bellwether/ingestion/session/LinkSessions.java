package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Links each decision to the same subject's next one and emits its transition, in event time, when
 * the surface's longest window and session gap have passed; keyed by surface and subject.
 *
 * <p>A decision is held for the retention after that. Until then, whatever changes its signals or
 * its place (a late outcome, a late decision between two others, a late end of session) emits it
 * again with the next revision. Of the decisions that are let go, the last one's place is kept, so
 * that a long session goes on. Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class LinkSessions extends KeyedProcessFunction<String, JoinedDecision, Transition> {

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Retention retention;

  private transient Map<String, Rule> rules;
  private transient Rule undeclared;
  private transient EventCodec<Decision> codec;
  private transient MapState<String, KeptDecision> kept;
  private transient ValueState<Link> before;
  private transient Counter restated;

  /**
   * @param surfaces all declared surfaces, read once per subtask
   * @param retention how long a decision is kept to be restated
   */
  public LinkSessions(SerializableSupplier<List<Surface>> surfaces, Retention retention) {
    this.surfaces = surfaces;
    this.retention = retention;
  }

  /** A surface's part in all this. */
  private record Rule(
      SessionLinks links, Optional<String> endsWith, Duration dueAfter, Duration retention) {

    long dueMillis(long decidedAtMicros) {
      return Math.floorDiv(decidedAtMicros, 1000) + dueAfter.toMillis() + 1;
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
      Duration gap = surface.sessions().gap();
      rules.put(
          surface.name(),
          new Rule(
              new SessionLinks(gap),
              surface.sessions().endsWith(),
              surface.longestWindow().plus(gap),
              retention.of(surface)));
    }
    // Decisions of a surface whose declaration was taken away are let go as they are.
    undeclared =
        new Rule(
            new SessionLinks(Duration.ZERO), Optional.empty(), Duration.ZERO, retention.least());
    codec = EventCodec.of(Decision.class);
    kept =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "decisions", Types.STRING, TypeInformation.of(KeptDecision.class)));
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
      long releaseAt = due + rule.dueAfter().toMillis() + rule.retention().toMillis();
      kept.put(joined.decisionId(), KeptDecision.first(joined, ended, releaseAt));
      context.timerService().registerEventTimeTimer(releaseAt);
    } else {
      kept.put(joined.decisionId(), known.with(joined, ended));
    }
    context.timerService().registerEventTimeTimer(due);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Transition> out)
      throws Exception {
    Map<String, KeptDecision> all = new HashMap<>();
    for (Map.Entry<String, KeptDecision> entry : kept.entries()) {
      all.put(entry.getKey(), entry.getValue());
    }
    if (all.isEmpty()) {
      return;
    }
    Rule rule = rules.getOrDefault(all.values().iterator().next().joined().surface(), undeclared);
    List<Link> links =
        rule.links().link(before.value(), all.values().stream().map(KeptDecision::moment).toList());
    for (Link link : links) {
      KeptDecision decision = Objects.requireNonNull(all.get(link.moment().decisionId()));
      // What went out once is restated at any time: after a restart, event time starts anew.
      long dueMillis = rule.dueMillis(link.moment().decidedAtMicros());
      boolean again = decision.revisions() > 0;
      boolean due = again || dueMillis <= context.timerService().currentWatermark();
      if (due && decision.joined().closed() && !decision.says(link)) {
        out.collect(transition(decision, link, again ? Math.max(dueMillis, time) : dueMillis));
        KeptDecision emitted = decision.emitted(link);
        kept.put(link.moment().decisionId(), emitted);
        all.put(link.moment().decisionId(), emitted);
      }
    }
    release(links, all, time);
  }

  /** Lets go from the oldest on, so that the place of the last one released links the rest. */
  private void release(List<Link> links, Map<String, KeptDecision> all, long time)
      throws Exception {
    int released = 0;
    for (Link link : links) {
      KeptDecision decision = Objects.requireNonNull(all.get(link.moment().decisionId()));
      if (decision.releaseAtMillis() > time || decision.revisions() == 0) {
        break;
      }
      kept.remove(link.moment().decisionId());
      before.update(link);
      released++;
    }
    if (released == links.size()) {
      // Whatever comes now is further away than the gap.
      before.clear();
    }
  }

  private Transition transition(KeptDecision decision, Link link, long joinedAtMillis)
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
        .setJoinedAtMicros(joinedAtMillis * 1000)
        .build();
  }
}
