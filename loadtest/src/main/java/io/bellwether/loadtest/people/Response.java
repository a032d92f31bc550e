package io.bellwether.loadtest.people;

/**
 * How a person responded to one video: what they did, how likely it was, and when they will have
 * done it. Immutable.
 *
 * <p>Chances are the world's hidden truth, for the value of a policy only; a product learns of a
 * response through {@link #value} and {@link #delaySeconds} alone.
 */
public final class Response {
  private final int item;
  private final double[] values;
  private final double[] chances;
  private final double[] delaySeconds;

  /** Arrays are indexed by {@link Signal#ordinal} and owned by the response from here on. */
  Response(int item, double[] values, double[] chances, double[] delaySeconds) {
    this.item = item;
    this.values = values;
    this.chances = chances;
    this.delaySeconds = delaySeconds;
  }

  public int item() {
    return item;
  }

  /** Seconds for {@link Signal#WATCH_SECONDS}; 1 or 0 for a flag. */
  public double value(Signal signal) {
    return values[signal.ordinal()];
  }

  /**
   * The chance that a flag happened, which averages with less noise than the flag; {@link #value}
   * for seconds.
   */
  public double expected(Signal signal) {
    return chances[signal.ordinal()];
  }

  /**
   * Seconds from the decision to the signal. Watching ends, and the person leaves, when the watched
   * seconds are over; other signals take their time, each with its own mean. Meaningless for a flag
   * that did not happen.
   */
  public double delaySeconds(Signal signal) {
    return delaySeconds[signal.ordinal()];
  }
}
