package io.bellwether.loadtest.people;

/**
 * How a person responded to one video: what they did, how likely it was, and when they will have
 * done it. Immutable once {@link Session#show} returns it.
 *
 * <p>Chances are the world's hidden truth, for the value of a policy only; a product learns of a
 * response through {@link #value} and {@link #delaySeconds} alone.
 */
public final class Response {
  private final int item;
  private final double[] values = new double[Signal.COUNT];
  private final double[] expected = new double[Signal.COUNT];
  private final double[] delaySeconds = new double[Signal.COUNT];

  Response(int item) {
    this.item = item;
  }

  void watched(double seconds) {
    set(Signal.WATCH_SECONDS, seconds, seconds, seconds);
  }

  void flag(Signal signal, boolean happened, double chance, double delay) {
    set(signal, happened ? 1 : 0, chance, delay);
  }

  private void set(Signal signal, double value, double mean, double delay) {
    values[signal.index()] = value;
    expected[signal.index()] = mean;
    delaySeconds[signal.index()] = delay;
  }

  public int item() {
    return item;
  }

  /** Whether a flag happened, or anything was watched. */
  public boolean has(Signal signal) {
    return value(signal) > 0;
  }

  /** Seconds for {@link Signal#WATCH_SECONDS}; 1 or 0 for a flag. */
  public double value(Signal signal) {
    return values[signal.index()];
  }

  /**
   * The chance that a flag happened, which averages with less noise than the flag; {@link #value}
   * for seconds.
   */
  public double expected(Signal signal) {
    return expected[signal.index()];
  }

  /**
   * Seconds from the decision to the signal. Watching ends, and the person leaves, when the watched
   * seconds are over; other signals take their time, each with its own mean. Meaningless for a flag
   * that did not happen.
   */
  public double delaySeconds(Signal signal) {
    return delaySeconds[signal.index()];
  }
}
