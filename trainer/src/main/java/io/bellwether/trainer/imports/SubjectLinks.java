package io.bellwether.trainer.imports;

import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.RefusedException;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.session.SessionLinks;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.session.SessionLinks.Moment;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives imported transitions, which come subject by subject and in the order of time, their place
 * in a session and the history that a service would have known: what the subject was shown before,
 * and of the reactions to it those that had happened by then.
 *
 * <p>Memory is one subject's recent past, however many decisions it has. Confined to one thread.
 */
final class SubjectLinks {

  private final Out out;
  private final SessionLinks links;
  private final Optional<String> endsWith;
  private final FeatureLayout layout;
  private final List<String> historySignals;
  private final Set<String> silent;
  private final Attribution attribution;
  private final Deque<Past> past = new ArrayDeque<>();
  private int pastItems;
  private @Nullable Transition held;
  private @Nullable Link before;

  /** Takes the transitions. */
  interface Out {
    void accept(Transition transition) throws IOException;
  }

  /**
   * A slate that was shown.
   *
   * @param items encoded, by position
   * @param latestMicros of its outcomes
   * @param signals {@code [position][history signal]}, of all outcomes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Past(
      Transition transition, float[][] items, long latestMicros, float[][] signals) {}

  SubjectLinks(Surface surface, Out out) {
    this.out = out;
    this.links = new SessionLinks(surface.sessions().gap());
    this.endsWith = surface.sessions().endsWith();
    this.layout = FeatureLayout.of(surface);
    this.historySignals = surface.history().signals();
    this.silent =
        surface.signals().stream()
            .filter(signal -> !signal.silenceOf().isEmpty())
            .map(Signal::name)
            .collect(Collectors.toSet());
    this.attribution = new Attribution(surface);
  }

  /** Adds the next transition; it is given on when the one after it is known. */
  void add(Transition transition) throws IOException {
    boolean same =
        held != null
            && held.getDecision().getSubjectId().equals(transition.getDecision().getSubjectId());
    release(same ? moment(transition) : null);
    if (!same) {
      before = null;
      past.clear();
      pastItems = 0;
    }
    held = transition;
  }

  /** Gives on the last one. */
  void finish() throws IOException {
    release(null);
    held = null;
  }

  private void release(@Nullable Moment next) throws IOException {
    if (held == null) {
      return;
    }
    Link link = links.link(before, moment(held), next);
    held.setSessionId(link.sessionId());
    held.setStep(link.step());
    held.setNextDecisionId(link.nextDecisionId());
    held.setTerminated(link.terminated());
    held.setTruncated(link.truncated());
    if (layout.historyLength() > 0) {
      held.getDecision().setHistory(history(held.getDecision().getDecidedAtMicros()));
      remember(held);
    }
    before = link;
    out.accept(held);
  }

  private Moment moment(Transition transition) {
    boolean ended =
        endsWith.isPresent()
            && transition.getSignals().stream()
                .anyMatch(s -> s.getValue() == 1 && s.getSignal().equals(endsWith.get()));
    Decision decision = transition.getDecision();
    return new Moment(decision.getDecisionId(), decision.getDecidedAtMicros(), ended);
  }

  private java.nio.ByteBuffer history(long nowMicros) {
    List<SubjectHistory.Entry> entries = new ArrayList<>();
    for (Past each : past) {
      Decision decision = each.transition().getDecision();
      float[][] signals = each.latestMicros() <= nowMicros ? each.signals() : by(each, nowMicros);
      for (int position = 0; position < signals.length; position++) {
        entries.add(
            new SubjectHistory.Entry(
                decision.getDecidedAtMicros(),
                decision.getDecisionId(),
                each.items()[position],
                signals[position]));
      }
    }
    float[] rows = new float[layout.historyLength() * layout.historyWidth()];
    new SubjectHistory(entries).encode(layout, nowMicros, rows, 0);
    return Floats.toBytes(rows, rows.length);
  }

  /** The signals of a slate as they were known at a time. */
  private float[][] by(Past each, long nowMicros) {
    Shown shown = Shown.by(each.transition().getDecision());
    List<Observed> known = new ArrayList<>();
    for (Observation observation : each.transition().getOutcomes()) {
      if (observation.getOccurredAtMicros() <= nowMicros) {
        known.add(observed(shown, observation));
      }
    }
    return values(shown.itemIds().size(), attribution.attribute(known).signals());
  }

  private Observed observed(Shown shown, Observation observation) {
    int position = observation.getPosition();
    try {
      return attribution.observe(
          shown,
          Outcome.newBuilder()
              .setOutcomeId(observation.getOutcomeId())
              .setDecisionId(shown.decisionId())
              .setItemId(position < 0 ? null : shown.itemIds().get(position))
              .setSignal(observation.getSignal())
              .setValue(observation.getValue())
              .setOccurredAtMicros(observation.getOccurredAtMicros())
              .setReceivedAtMicros(observation.getReceivedAtMicros())
              .build());
    } catch (RefusedException e) {
      throw new IllegalStateException("it was not refused when it was read", e);
    }
  }

  private void remember(Transition transition) {
    Decision decision = transition.getDecision();
    int width = layout.itemWidth();
    float[] all = Floats.of(decision.getItems());
    List<Placement> slate = decision.getSlate();
    float[][] items = new float[slate.size()][];
    for (int position = 0; position < items.length; position++) {
      int from = slate.get(position).getCandidate() * width;
      items[position] = Arrays.copyOfRange(all, from, from + width);
    }
    long latest =
        transition.getOutcomes().stream()
            .mapToLong(Observation::getOccurredAtMicros)
            .max()
            .orElse(Long.MIN_VALUE);
    past.addLast(
        new Past(transition, items, latest, values(items.length, transition.getSignals())));
    pastItems += items.length;
    while (pastItems - past.getFirst().items().length >= layout.historyLength()) {
      pastItems -= past.removeFirst().items().length;
    }
  }

  /** An item's value is its own or, where there is none, that of the slate as a whole. */
  private float[][] values(int positions, List<SignalValue> signals) {
    float[][] values = new float[positions][historySignals.size()];
    // Sorted by position, so that an item's own value overwrites the slate's.
    for (SignalValue value : signals) {
      // That somebody kept silent is known when the windows close, and to no history.
      int signal =
          silent.contains(value.getSignal()) ? -1 : historySignals.indexOf(value.getSignal());
      boolean whole = value.getPosition() < 0;
      int from = whole ? 0 : value.getPosition();
      int until = whole ? positions : from + 1;
      for (int position = from; signal >= 0 && position < until; position++) {
        values[position][signal] = (float) value.getValue();
      }
    }
    return values;
  }
}
