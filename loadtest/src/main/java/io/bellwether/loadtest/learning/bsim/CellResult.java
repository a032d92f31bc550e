package io.bellwether.loadtest.learning.bsim;

/** How one cell ended. */
public sealed interface CellResult {
  SimulatedCell cell();

  /** It left a policy, and this is what the policy is worth. */
  record Measured(SimulatedCell cell, SimulatedCell.Outcome outcome) implements CellResult {
    /** The score on the sessions that are reported. */
    public double score() {
      return outcome.test().score();
    }
  }

  /** It left none: training diverged or refused its data. */
  record Failed(SimulatedCell cell, String reason) implements CellResult {}
}
