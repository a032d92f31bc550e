package io.bellwether.trainer.search;

import java.util.Comparator;

/**
 * A place in a search.
 *
 * @param draw number of the draw, from 0; -1 for the baseline
 * @param rung how far it is trained: each rung has three times the epochs of the one below
 */
record Step(int draw, int rung) implements Comparable<Step> {

  static final int RUNGS = 3;

  /** Behaviour cloning, beside which everything is looked at. */
  static final Step BASELINE = new Step(-1, RUNGS - 1);

  Step {
    if (draw < -1 || rung < 0 || rung >= RUNGS) {
      throw new IllegalArgumentException("no rung " + rung + " of draw " + draw);
    }
  }

  /** For files. */
  String word() {
    return draw < 0 ? "baseline" : draw + "-" + rung;
  }

  @Override
  public int compareTo(Step other) {
    return Comparator.comparingInt(Step::draw).thenComparingInt(Step::rung).compare(this, other);
  }
}
