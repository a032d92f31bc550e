package io.bellwether.ingestion.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule that cuts one subject's decisions on one surface into sessions.
 *
 * <p>In the order of time, then of decision id, a decision continues the session of the one before
 * unless that one ended its session, is further away than the gap, or was the last step that a
 * session may have. Immutable.
 */
public final class SessionLinks {

  /** Longer sessions are cut: a subject that never pauses must not grow one for ever. */
  public static final int MAX_STEPS = 200;

  private static final Comparator<Moment> IN_TIME =
      Comparator.comparingLong(Moment::decidedAtMicros).thenComparing(Moment::decisionId);

  private final long gapMicros;
  private final int maxSteps;

  /**
   * @param gap decisions further apart than this belong to different sessions
   */
  public SessionLinks(Duration gap) {
    this(gap, MAX_STEPS);
  }

  SessionLinks(Duration gap, int maxSteps) {
    this.gapMicros = gap.toNanos() / 1000;
    this.maxSteps = maxSteps;
  }

  /**
   * A decision as the rule sees it.
   *
   * @param decidedAtMicros microseconds since the epoch
   * @param ended whether the session was seen to end on this decision
   */
  public record Moment(String decisionId, long decidedAtMicros, boolean ended) {}

  /**
   * A decision's place in its session.
   *
   * @param sessionId decision id of the session's first decision
   * @param step 0-based place in the session
   * @param nextDecisionId the session's next decision; null on its last one
   */
  public record Link(Moment moment, String sessionId, int step, @Nullable String nextDecisionId) {

    /** The session ended by itself: there is no future value. */
    public boolean terminated() {
      return moment.ended();
    }

    /** We stopped looking: the future has a value that is not known. */
    public boolean truncated() {
      return !moment.ended() && nextDecisionId == null;
    }
  }

  /** Links all decisions of one subject. */
  public List<Link> link(List<Moment> decisions) {
    return link(null, decisions);
  }

  /**
   * Links decisions that follow one that is already linked.
   *
   * @param before the last decision that is no longer at hand; null where there is none. A decision
   *     that is older, and so came too late to be linked, becomes a session of its own
   * @return one link per decision, in the order of time
   */
  List<Link> link(@Nullable Link before, List<Moment> decisions) {
    List<Moment> ordered = decisions.stream().sorted(IN_TIME).toList();
    List<Link> links = new ArrayList<>(ordered.size());
    Link previous = before;
    for (int i = 0; i < ordered.size(); i++) {
      Moment moment = ordered.get(i);
      if (before != null && IN_TIME.compare(moment, before.moment()) < 0) {
        links.add(new Link(moment, moment.decisionId(), 0, null));
        continue;
      }
      Link link =
          previous != null && follows(previous, moment)
              ? new Link(moment, previous.sessionId(), previous.step() + 1, null)
              : new Link(moment, moment.decisionId(), 0, null);
      if (i + 1 < ordered.size() && follows(link, ordered.get(i + 1))) {
        String next = ordered.get(i + 1).decisionId();
        link = new Link(moment, link.sessionId(), link.step(), next);
      }
      links.add(link);
      previous = link;
    }
    return links;
  }

  private boolean follows(Link earlier, Moment later) {
    return !earlier.moment().ended()
        && earlier.step() + 1 < maxSteps
        && later.decidedAtMicros() - earlier.moment().decidedAtMicros() <= gapMicros;
  }
}
