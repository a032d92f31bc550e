package io.bellwether.serving.deadline;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a request must be answered, and from when on its policy is no longer waited for. Times are
 * {@link System#nanoTime}'s, which only differences give a meaning. Immutable.
 *
 * @param arrivedNanos when the request came; waiting for a worker counts
 * @param budgetNanos time for the answer from then on, above 0
 */
public record Deadline(long arrivedNanos, long budgetNanos) {

  /** What is left after this share of the budget has to do for a stand-in and for the log. */
  private static final double POLICY_SHARE = 0.7;

  /** A policy without the history, in time, is better than a stand-in. */
  private static final double RECALL_SHARE = 0.35;

  private static final long NANOS_PER_MILLI = 1_000_000;

  public Deadline {
    if (budgetNanos <= 0) {
      throw new IllegalArgumentException(
          "a budget of " + budgetNanos + " ns, expected more than 0");
    }
  }

  /** The deadline of a request that came then and has this long. */
  public static Deadline of(long arrivedNanos, Duration budget) {
    return new Deadline(arrivedNanos, budget.toNanos());
  }

  /** This one, or a nearer one where there is less time. */
  public Deadline within(Duration budget) {
    long nanos = budget.toNanos();
    return nanos < budgetNanos ? new Deadline(arrivedNanos, nanos) : this;
  }

  /**
   * This one, or a nearer one where there is less time.
   *
   * @param budgetMillis above 0; empty: nobody asked for less
   */
  public Deadline within(OptionalLong budgetMillis) {
    // Compared before it is turned into nanoseconds, of which a caller could ask for too many.
    return budgetMillis.isPresent() && budgetMillis.getAsLong() < budgetNanos / NANOS_PER_MILLI + 1
        ? within(Duration.ofMillis(budgetMillis.getAsLong()))
        : this;
  }

  /** Until when the subject's history is waited for. */
  public long recallNanos() {
    return arrivedNanos + (long) (RECALL_SHARE * budgetNanos);
  }

  /** From when on a stand-in answers where the policy has not. */
  public long standInNanos() {
    return arrivedNanos + (long) (POLICY_SHARE * budgetNanos);
  }

  /** By when the answer must have left. */
  public long endNanos() {
    return arrivedNanos + budgetNanos;
  }

  /** How long the policy is still waited for; not above 0 once it no longer is. */
  public long policyLeftNanos(long nowNanos) {
    return standInNanos() - nowNanos;
  }

  /** How long until the answer must have left; not above 0 once it is late. */
  public long leftNanos(long nowNanos) {
    return endNanos() - nowNanos;
  }
}
