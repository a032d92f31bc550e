package io.bellwether.loadtest.experiment;

import java.util.List;

/**
 * What became of a planted policy. Immutable.
 *
 * @param policy which one
 * @param status of its experiment at the end
 * @param seconds from the start to that; where nothing was decided, to the end
 * @param exposed decisions that came from it, or were meant to
 * @param minimum decisions that any rule with the same chance of a false alarm, knowing what to
 *     look for, would have needed; 0 for what had to be shipped
 * @param after decisions that came from it although its roll-back was acknowledged
 * @param shares of the traffic of its slice that it had, in basis points, in order
 * @param reason of the last move; where nothing was decided, what it waited for
 */
public record PlantedOutcome(
    PlantedPolicy policy,
    String status,
    double seconds,
    long exposed,
    double minimum,
    long after,
    List<Integer> shares,
    String reason) {

  public PlantedOutcome {
    shares = List.copyOf(shares);
  }

  /** Whether it was shipped if it is good, and taken back if it is not. */
  public boolean isRight() {
    return status.equals(policy.isGood() ? "SHIPPED" : "ROLLED_BACK");
  }
}
