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
   * A decision as the rule sees it, ordered by time and then by id.
   *
   * @param decidedAtMicros microseconds since the epoch
   * @param ended whether the session was seen to end on this decision
   */
  public record Moment(String decisionId, long decidedAtMicros, boolean ended)
      implements Comparable<Moment> {

    private static final Comparator<Moment> IN_TIME =
        Comparator.comparingLong(Moment::decidedAtMicros).thenComparing(Moment::decisionId);

    @Override
    public int compareTo(Moment other) {
      return IN_TIME.compare(this, other);
    }
  }

  /**
   * A decision's place in its session.
   *
   * @param sessionId decision id of the session's first decision
   * @param step 0-based place in the session
   * @param nextDecisionId the session's next decision; null on its last one
   */
  public record Link(Moment moment, String sessionId, int step, @Nullable String nextDecisionId) {

    /** Whether the other is the same step of the same session. */
    boolean samePlace(Link other) {
      return sessionId.equals(other.sessionId) && step == other.step;
    }

    /** The session ended by itself: there is no future value. */
    public boolean terminated() {
      return moment.ended();
    }

    /** We stopped looking: the future has a value that is not known. */
    public boolean truncated() {
      return !moment.ended() && nextDecisionId == null;
    }
  }

  /**
   * Links all decisions of one subject.
   *
   * @return one link per decision, in the order of time
   */
  public List<Link> link(List<Moment> decisions) {
    List<Moment> ordered = decisions.stream().sorted().toList();
    List<Link> links = new ArrayList<>(ordered.size());
    Link previous = null;
    for (int i = 0; i < ordered.size(); i++) {
      previous = link(previous, ordered.get(i), i + 1 < ordered.size() ? ordered.get(i + 1) : null);
      links.add(previous);
    }
    return links;
  }

  /**
   * Links one decision, which depends on its neighbours in time alone.
   *
   * @param previous the link of the subject's decision before it; null where there is none
   * @param next the subject's decision after it; null where there is none
   */
  public Link link(@Nullable Link previous, Moment decision, @Nullable Moment next) {
    Link alone =
        previous != null && follows(previous, decision)
            ? new Link(decision, previous.sessionId(), previous.step() + 1, null)
            : new Link(decision, decision.decisionId(), 0, null);
    return next != null && follows(alone, next)
        ? new Link(decision, alone.sessionId(), alone.step(), next.decisionId())
        : alone;
  }

  private boolean follows(Link earlier, Moment later) {
    return !earlier.moment().ended()
        && earlier.step() + 1 < maxSteps
        && later.decidedAtMicros() - earlier.moment().decidedAtMicros() <= gapMicros;
  }
}
