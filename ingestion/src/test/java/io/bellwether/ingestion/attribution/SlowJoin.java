package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.session.DueTime;
import io.bellwether.ingestion.session.Retention;
import io.bellwether.ingestion.session.SessionLinks;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.session.SessionLinks.Moment;
import io.bellwether.ingestion.surface.Surface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The join as a definition: all events are there, and each decision looks at all of them. */
record SlowJoin(Surface surface, Retention retention) {

  private static final EventCodec<Transition> CODEC = EventCodec.of(Transition.class);

  /** What the set of events says, by decision id, with revision 0. */
  Map<String, Transition> join(List<Decision> decisions, List<Outcome> outcomes) {
    Map<String, Attributed> attributed = new HashMap<>();
    Map<String, List<Moment>> subjects = new TreeMap<>();
    Map<String, Decision> byId = new TreeMap<>();
    for (Decision decision : decisions) {
      if (byId.put(decision.getDecisionId(), decision) != null) {
        continue;
      }
      Attributed now = attribute(decision, outcomes);
      attributed.put(decision.getDecisionId(), now);
      boolean ended =
          now.signals().stream().anyMatch(s -> s.getSignal().equals("leave") && s.getValue() == 1);
      subjects
          .computeIfAbsent(decision.getSubjectId(), s -> new ArrayList<>())
          .add(new Moment(decision.getDecisionId(), decision.getDecidedAtMicros(), ended));
    }
    Map<String, Transition> transitions = new TreeMap<>();
    SessionLinks rule = new SessionLinks(surface.sessions().gap());
    for (List<Moment> moments : subjects.values()) {
      for (Link link : rule.link(moments)) {
        String id = link.moment().decisionId();
        transitions.put(id, transition(at(byId, id), at(attributed, id), link));
      }
    }
    return transitions;
  }

  private Attributed attribute(Decision decision, List<Outcome> outcomes) {
    Attribution attribution = new Attribution(surface);
    Shown shown = Shown.by(decision);
    long lastMillis =
        attribution.closesAtMicros(shown) / 1000 + 1 + retention.of(surface).toMillis();
    List<Observed> observed = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.getDecisionId().equals(decision.getDecisionId())
          && outcome.getReceivedAtMicros() / 1000 <= lastMillis) {
        try {
          observed.add(attribution.observe(shown, outcome));
        } catch (RefusedException e) {
          // A dead letter; the test looks at those too.
          Objects.requireNonNull(e.reason());
        }
      }
    }
    return attribution.conclude(observed, shown.itemIds().size());
  }

  private Transition transition(Decision decision, Attributed attributed, Link link) {
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(attributed.signals())
        .setOutcomeCount(attributed.outcomeCount())
        .setOutsideWindow(attributed.outsideWindow())
        .setSessionId(link.sessionId())
        .setStep(link.step())
        .setNextDecisionId(link.nextDecisionId())
        .setTerminated(link.terminated())
        .setTruncated(link.truncated())
        .setJoinedAtMicros(
            DueTime.of(surface)
                .joinedAtMicros(decision.getDecidedAtMicros(), attributed.outcomes()))
        .setOutcomes(attributed.outcomes())
        .build();
  }

  /** A transition in the form in which it is kept for good: its bytes, whatever its revision. */
  static String normal(Transition transition) {
    Transition first = Transition.newBuilder(transition).setRevision(0).build();
    return HexFormat.of().formatHex(CODEC.encode(first));
  }

  private static <V> V at(Map<String, V> map, String key) {
    return Objects.requireNonNull(map.get(key), key);
  }
}
