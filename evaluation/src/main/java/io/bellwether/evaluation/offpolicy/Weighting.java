package io.bellwether.evaluation.offpolicy;

/** What stands below the line of an importance weight. */
public enum Weighting {

  /** The propensities of the policy version that made the decision. */
  PREFIX,

  /**
   * The propensities of all logging versions, each with its share of the log. Never a larger weight
   * than the largest of {@link #PREFIX}, and less variance; every version must be known.
   *
   * <p>Source: Agarwal et al., "Effective Evaluation using Logged Bandit Feedback from Multiple
   * Loggers", 2017.
   */
  BALANCED
}
