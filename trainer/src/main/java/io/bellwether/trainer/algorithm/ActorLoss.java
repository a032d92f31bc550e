package io.bellwether.trainer.algorithm;

/**
 * How the served actor is taught a policy that is known in closed form. All have the same minimum
 * where every candidate has support.
 */
public enum ActorLoss {
  /** {@code KL(π ‖ π*)}, exact over the candidates of a row. */
  MATCHING,

  /**
   * {@code -Σ_a π A_0 + Σ_i λ_i KL(π ‖ π_i)}: matching times the sum of the {@code λ_i}, since
   * {@code π*} is where it is smallest.
   */
  PROXIMITY,

  /**
   * {@code -w log π(a|s)} at logged actions, {@code w = π*(a|s) / μ} clipped: nothing is asked of
   * an action that was never logged.
   */
  REGRESSION
}
