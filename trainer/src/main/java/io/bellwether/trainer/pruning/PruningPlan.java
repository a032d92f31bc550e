package io.bellwether.trainer.pruning;

/**
 * How much is pruned, and how slowly.
 *
 * @param share of the units of each hidden layer that goes, in (0, 1)
 * @param schedule by which it grows
 * @param steps of learning altogether: in the first three tenths units go, in the others the rest
 *     learns to do without them
 */
public record PruningPlan(double share, PruningSchedule schedule, int steps) {

  private static final int DEFAULT_STEPS = 3000;

  public PruningPlan {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("a share in (0, 1) can be pruned, not " + share);
    }
    if (steps < 10) {
      throw new IllegalArgumentException("at least 10 steps, not " + steps);
    }
  }

  /** The plan of an export. */
  public static PruningPlan of(double share) {
    return new PruningPlan(share, PruningSchedule.CUBIC, DEFAULT_STEPS);
  }

  int pruningSteps() {
    return steps * 3 / 10;
  }
}
