package io.bellwether.serving.outage;

import java.util.function.LongSupplier;

/**
 * A circuit breaker: whether calls to something outside are worth their wait. Closed, all go. After
 * several failures in a row it opens, and none goes, until a pause is over; then one call at a time
 * may try, and its success closes the breaker, its failure opens it for twice as long. A trial of
 * which nothing is heard for as long as the pause is followed by another one.
 *
 * <p>Whoever was told that a call may go reports how it went. Thread-safe; while it is closed and
 * nothing fails, no lock is taken.
 *
 * <p>Source: Nygard, "Release It!", 2007, with two differences: failures count in a row and not in
 * a period, and the pause grows.
 */
public final class Breaker {

  private final Patience patience;
  private final LongSupplier nanos;
  private volatile State state = State.CLOSED;
  private volatile int failuresInRow;
  private long pauseNanos;
  private long nextTrialNanos;

  /** What a breaker lets through. */
  public enum State {
    /** Every call. */
    CLOSED(0),
    /** One call, to see how it goes. */
    HALF_OPEN(1),
    /** Nothing. */
    OPEN(2);

    private final int level;

    State(int level) {
      this.level = level;
    }

    /** As meters show it. */
    int level() {
      return level;
    }
  }

  /**
   * A closed breaker.
   *
   * @param nanos a clock such as {@link System#nanoTime}
   */
  public Breaker(Patience patience, LongSupplier nanos) {
    this.patience = patience;
    this.nanos = nanos;
    pauseNanos = patience.pause().toNanos();
  }

  /** Whether a call may go; each yes is followed by a report. */
  public boolean allows() {
    return state == State.CLOSED || allowsTrial();
  }

  private synchronized boolean allowsTrial() {
    if (state == State.CLOSED) {
      return true;
    }
    long now = nanos.getAsLong();
    if (now - nextTrialNanos < 0) {
      return false;
    }
    state = State.HALF_OPEN;
    nextTrialNanos = now + pauseNanos;
    return true;
  }

  /** A call went well. What comes late, of a call before the opening, does not close it. */
  public void succeeded() {
    if (state == State.CLOSED && failuresInRow == 0) {
      return;
    }
    synchronized (this) {
      if (state == State.OPEN) {
        return;
      }
      state = State.CLOSED;
      failuresInRow = 0;
      pauseNanos = patience.pause().toNanos();
    }
  }

  /** A call failed, or was not answered in time. */
  public synchronized void failed() {
    if (state == State.OPEN) {
      return;
    }
    if (state == State.HALF_OPEN) {
      pauseNanos = Math.min(2 * pauseNanos, patience.longestPause().toNanos());
      open();
      return;
    }
    failuresInRow++;
    if (failuresInRow >= patience.failures()) {
      open();
    }
  }

  private void open() {
    state = State.OPEN;
    nextTrialNanos = nanos.getAsLong() + pauseNanos;
  }

  /** What it lets through now. */
  public State state() {
    return state;
  }
}
