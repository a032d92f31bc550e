package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.attribution.Attributed;
import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.RefusedException;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.session.SessionLinks;
import io.bellwether.ingestion.surface.Surface;
import java.util.ArrayList;
import java.util.List;

/**
 * The right answer to a plan, by the written rules alone: decision by decision, all of its outcomes
 * at once, without streams, time or state.
 */
final class ReferenceJoin {

  private final EventPlan plan;
  private final Attribution attribution;
  private final SessionLinks sessions;
  private final Decision decision;

  ReferenceJoin(EventPlan plan) {
    this.plan = plan;
    Surface surface = BenchSurface.surface();
    attribution = new Attribution(surface);
    sessions = new SessionLinks(surface.sessions().gap());
    decision = plan.decision();
  }

  /** How many decisions the ledger has otherwise than they should be, or not at all. */
  long wrong(Ledger ledger) throws RefusedException {
    long wrong = 0;
    for (long first = 0; first < plan.decisions(); first += EventPlan.SESSION) {
      List<SessionLinks.Moment> moments = new ArrayList<>();
      for (long i = first; i < Math.min(first + EventPlan.SESSION, plan.decisions()); i++) {
        moments.add(new SessionLinks.Moment(EventBytes.id('d', i), plan.decidedAtMicros(i), false));
      }
      // A subject is away for a minute between its sessions, so that they do not touch.
      for (SessionLinks.Link link : sessions.link(moments)) {
        long number = EventBytes.number(link.moment().decisionId());
        wrong += ledger.digest(number) == Ledger.digest(transition(number, link)) ? 0 : 1;
      }
    }
    return wrong;
  }

  private Transition transition(long number, SessionLinks.Link link) throws RefusedException {
    decision.setDecisionId(link.moment().decisionId());
    decision.setDecidedAtMicros(plan.decidedAtMicros(number));
    Shown shown = Shown.by(decision);
    List<Observed> observed = new ArrayList<>();
    for (int i = 0; i < EventPlan.OUTCOMES; i++) {
      observed.add(
          attribution.observe(shown, plan.outcome(new EventPlan.Planned(number, i, false))));
    }
    Attributed attributed = attribution.attribute(observed);
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
        .setJoinedAtMicros(0)
        .build();
  }
}
