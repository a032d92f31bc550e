package io.bellwether.ingestion.session;

import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.session.SessionLinks.Moment;
import java.util.Comparator;
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
 * @param link its place in its session; null until it was linked
 * @param earlierId the subject's decision before it; null for the first that is kept
 * @param laterId the subject's decision after it; null for the last
 */
public record KeptDecision(
    JoinedDecision joined,
    boolean ended,
    long releaseAtMillis,
    int revisions,
    boolean changed,
    @Nullable Link link,
    @Nullable String earlierId,
    @Nullable String laterId) {

  /** The order of {@link Moment}. */
  static final Comparator<KeptDecision> IN_TIME = KeptDecision::compareInTime;

  static KeptDecision first(JoinedDecision joined, boolean ended, long releaseAtMillis) {
    return new KeptDecision(joined, ended, releaseAtMillis, 0, true, null, null, null);
  }

  String id() {
    return joined.decisionId();
  }

  Moment moment() {
    return new Moment(joined.decisionId(), joined.decidedAtMicros(), ended);
  }

  boolean isBefore(KeptDecision other) {
    return IN_TIME.compare(this, other) < 0;
  }

  private static int compareInTime(KeptDecision a, KeptDecision b) {
    int order = Long.compare(a.joined.decidedAtMicros(), b.joined.decidedAtMicros());
    return order != 0 ? order : a.id().compareTo(b.id());
  }

  KeptDecision between(@Nullable String earlier, @Nullable String later) {
    return new KeptDecision(
        joined, ended, releaseAtMillis, revisions, changed, link, earlier, later);
  }

  KeptDecision with(JoinedDecision update, boolean nowEnded) {
    JoinedDecision merged =
        new JoinedDecision(
            joined.surface(),
            joined.subjectId(),
            joined.decisionId(),
            joined.decidedAtMicros(),
            joined.decision(),
            update.closed() || joined.closed(),
            update.signals(),
            update.outcomeCount(),
            update.outsideWindow(),
            update.outcomes());
    return new KeptDecision(
        merged, nowEnded, releaseAtMillis, revisions, true, link, earlierId, laterId);
  }

  KeptDecision linked(Link now) {
    return new KeptDecision(
        joined,
        ended,
        releaseAtMillis,
        revisions,
        changed || !now.equals(link),
        now,
        earlierId,
        laterId);
  }

  KeptDecision emitted() {
    return new KeptDecision(
        joined, ended, releaseAtMillis, revisions + 1, false, link, earlierId, laterId);
  }
}
