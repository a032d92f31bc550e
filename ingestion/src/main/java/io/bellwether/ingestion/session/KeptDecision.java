package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.session.SessionLinks.Moment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A decision that {@link LinkSessions} still holds: state, public so that Flink serializes it as a
 * record. Immutable by convention.
 *
 * @param joined what is known of it, with the decision's bytes
 * @param ended whether its session was seen to end on it
 * @param releaseAtMillis event time from which it may be forgotten
 * @param revisions how many transitions were emitted for it
 * @param changed whether more is known than was emitted
 * @param sessionId as emitted last; null before
 * @param step as emitted last
 * @param nextDecisionId as emitted last
 */
public record KeptDecision(
    JoinedDecision joined,
    boolean ended,
    long releaseAtMillis,
    int revisions,
    boolean changed,
    @Nullable String sessionId,
    int step,
    @Nullable String nextDecisionId) {

  static KeptDecision first(JoinedDecision joined, boolean ended, long releaseAtMillis) {
    return new KeptDecision(joined, ended, releaseAtMillis, 0, true, null, 0, null);
  }

  KeptDecision with(JoinedDecision update, boolean nowEnded) {
    List<SignalValue> signals = update.signals();
    JoinedDecision merged =
        new JoinedDecision(
            joined.surface(),
            joined.subjectId(),
            joined.decisionId(),
            joined.decidedAtMicros(),
            joined.decision(),
            update.closed() || joined.closed(),
            signals,
            update.outcomeCount(),
            update.outsideWindow());
    return new KeptDecision(
        merged, nowEnded, releaseAtMillis, revisions, true, sessionId, step, nextDecisionId);
  }

  KeptDecision emitted(Link link) {
    return new KeptDecision(
        joined,
        ended,
        releaseAtMillis,
        revisions + 1,
        false,
        link.sessionId(),
        link.step(),
        link.nextDecisionId());
  }

  boolean says(Link link) {
    return !changed
        && link.sessionId().equals(sessionId)
        && link.step() == step
        && Objects.equals(link.nextDecisionId(), nextDecisionId);
  }

  Moment moment() {
    return new Moment(joined.decisionId(), joined.decidedAtMicros(), ended);
  }
}
