package io.bellwether.serving.decision;

import io.bellwether.policy.scoring.Slate;
import java.util.List;

/**
 * A slate with all that is logged of its making.
 *
 * @param uniform share of the uniform distribution, as used
 * @param teams for an interleaved slate, which variant each position counts for; otherwise empty
 */
record Drawn(Scores scores, double uniform, Slate slate, Manner manner, List<Integer> teams) {

  /** How a slate came about, and so what may be concluded from its propensities. */
  enum Manner {
    /** Sampled from the logged scores: a replay draws it again. */
    SAMPLED("ONLINE", "EXACT", true),
    /**
     * Drafted from two rankings of which only one is logged: exact, and nothing to learn a policy
     * from.
     */
    DRAFTED("ONLINE", "EXACT", false),
    /** The caller's order, which an experiment asked for: good to imitate. */
    GIVEN("APPRENTICE", "DETERMINISTIC", true),
    /**
     * The caller's order for want of a better one, or that of retrieval: it says nothing about
     * other orders, and nobody meant it.
     */
    RESORTED("ONLINE", "DETERMINISTIC", false);

    private final String mode;
    private final String propensityKind;
    private final boolean learnable;

    Manner(String mode, String propensityKind, boolean learnable) {
      this.mode = mode;
      this.propensityKind = propensityKind;
      this.learnable = learnable;
    }

    /** The decision's mode, as logged. */
    String mode() {
      return mode;
    }

    /** What its propensities are, as logged. */
    String propensityKind() {
      return propensityKind;
    }

    /** Whether policies may learn from it. */
    boolean learnable() {
      return learnable;
    }
  }

  Drawn withTeams(List<Integer> others) {
    return new Drawn(scores, uniform, slate, manner, others);
  }
}
