package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.PolicyValue;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.SimulatedPolicy;
import io.bellwether.loadtest.people.TrueValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures policies beside the logging policy L0 on the same simulated sessions: totals of a
 * session, flags by their chance, as ratios to L0's. The logging policy is measured once.
 * Thread-safe.
 */
public final class TrueRatios {
  private static final int SESSIONS_PER_BATCH = 250;

  /** Of the sessions with the most hate, whose mean says how bad it gets. */
  private static final double WORST_SHARE = 0.25;

  private final TrueValue trueValue;
  private final long firstSession;
  private final int sessions;
  private final PolicyValue logging;

  /**
   * Measures L0.
   *
   * @param threads that play sessions; they change no result
   */
  public TrueRatios(ShortVideoWorld world, long firstSession, int sessions, int threads)
      throws InterruptedException {
    this.trueValue = new TrueValue(world, threads, SESSIONS_PER_BATCH);
    this.firstSession = firstSession;
    this.sessions = sessions;
    this.logging = value(LinearPolicy.logging(world.catalogue()));
  }

  private PolicyValue value(SimulatedPolicy policy) throws InterruptedException {
    return trueValue.of(policy, firstSession, sessions, 1);
  }

  /** What a policy is worth. */
  public Ratios of(SimulatedPolicy policy) throws InterruptedException {
    PolicyValue value = value(policy);
    List<Estimate> ratios = new ArrayList<>();
    for (Signal signal : SimulatedFeatures.SIGNALS) {
      ratios.add(value.ratioTo(logging, signal));
    }
    return new Ratios(
        ratios,
        value.length().mean() / logging.length().mean(),
        value.worstMean(Signal.HATE, WORST_SHARE) / logging.worstMean(Signal.HATE, WORST_SHARE));
  }
}
