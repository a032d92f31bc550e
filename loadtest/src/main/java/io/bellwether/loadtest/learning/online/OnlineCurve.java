package io.bellwether.loadtest.learning.online;

import io.bellwether.loadtest.learning.bsim.Ratios;
import java.util.List;

/**
 * How learning went while it served. Immutable.
 *
 * @param windows in order, each of the sessions that one policy served
 * @param start the policy that it began with, on sessions that nobody learned from
 * @param end what it ended with, on the same sessions
 */
public record OnlineCurve(List<Window> windows, Ratios start, Ratios end) {

  /** No window may be worth less than this share of what the first policy is on its sessions. */
  public static final double LEAST_SHARE = 0.95;

  /** By how much the end has to exceed the start. */
  public static final double LEAST_GAIN = 0.02;

  /**
   * Sessions of one policy.
   *
   * @param first its first session
   * @param served by the policy that learned until then
   * @param unchanged what the first policy would have been worth in the same sessions
   */
  public record Window(long first, Ratios served, Ratios unchanged) {

    /** The score as a share of the first policy's; negative infinity where that has none. */
    public double share() {
      return ratio(served.score(), unchanged.score());
    }
  }

  public OnlineCurve {
    windows = List.copyOf(windows);
    if (windows.isEmpty()) {
      throw new IllegalArgumentException("a curve needs a window");
    }
  }

  /** The smallest share of all windows. */
  public double worstShare() {
    return windows.stream().mapToDouble(Window::share).min().orElseThrow();
  }

  /** By what share the score grew; negative infinity where there was none. */
  public double gain() {
    return ratio(end.score(), start.score()) - 1;
  }

  /** Of scores, which may be negative: then only an equal one is no loss. */
  private static double ratio(double score, double first) {
    if (score == first) {
      return 1;
    }
    return first > 0 ? score / first : Double.NEGATIVE_INFINITY;
  }

  /** A10 of the benchmark's specification. */
  public boolean isAccepted() {
    return worstShare() >= LEAST_SHARE && gain() >= LEAST_GAIN;
  }
}
