package io.bellwether.loadtest.people;

import java.util.Arrays;

/**
 * The true value of one policy: means over sessions of every signal, flags counted by their chance.
 * Immutable.
 *
 * <p>Keeps each session's totals, so that two policies that met the same sessions can be compared
 * in pairs ({@link #ratioTo}), which takes most of the noise out.
 */
public final class PolicyValue {
  private final long firstSession;
  private final double[] lengths;
  private final double[][] totals;
  private final double[][] discounted;

  /** Totals are {@code [signal][session]} and owned by the value from here on. */
  PolicyValue(long firstSession, double[] lengths, double[][] totals, double[][] discounted) {
    this.firstSession = firstSession;
    this.lengths = lengths;
    this.totals = totals;
    this.discounted = discounted;
  }

  public int sessions() {
    return lengths.length;
  }

  /** Decisions of all sessions together. */
  public long decisions() {
    return (long) Arrays.stream(lengths).sum();
  }

  /** Decisions per session. */
  public Estimate length() {
    return Estimate.mean(lengths);
  }

  /** Sum of a signal over a session. */
  public Estimate total(Signal signal) {
    return Estimate.mean(totals[signal.index()]);
  }

  /** Sum of a signal over a session, step t weighted by the discount to the power of t. */
  public Estimate discounted(Signal signal) {
    return Estimate.mean(discounted[signal.index()]);
  }

  /** Mean of a signal over decisions; long sessions weigh more, as they do in a log. */
  public Estimate perDecision(Signal signal) {
    return Estimate.ratio(totals[signal.index()], lengths);
  }

  /**
   * Mean of a signal's totals over the share of sessions that had most of it; at least one session.
   *
   * @param share in (0, 1]
   */
  public double worstMean(Signal signal, double share) {
    double[] sorted = totals[signal.index()].clone();
    Arrays.sort(sorted);
    int count = Math.max(1, (int) Math.round(share * sorted.length));
    double sum = 0;
    for (int i = sorted.length - count; i < sorted.length; i++) {
      sum += sorted[i];
    }
    return sum / count;
  }

  /**
   * This policy's {@link #total} over that of {@code baseline}, paired by session; 1 where they are
   * equal.
   *
   * @throws IllegalArgumentException if the two were measured on different sessions
   */
  public Estimate ratioTo(PolicyValue baseline, Signal signal) {
    if (firstSession != baseline.firstSession || sessions() != baseline.sessions()) {
      throw new IllegalArgumentException(
          "Values are compared on the same sessions; these start at %d and %d and have %d and %d sessions."
              .formatted(firstSession, baseline.firstSession, sessions(), baseline.sessions()));
    }
    return Estimate.ratio(totals[signal.index()], baseline.totals[signal.index()]);
  }
}
