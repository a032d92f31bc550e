package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;

/** Σ over units of (Σ ψ)² of several values, with what they look at. Confined to one thread. */
final class InfluenceSquares {
  private final long[] decisions;
  private final long[] units;
  private final CompensatedSums squares;

  InfluenceSquares(int size) {
    decisions = new long[size];
    units = new long[size];
    squares = new CompensatedSums(size);
  }

  /** Adds a unit: per value its number of decisions and its summed influence. */
  void add(double[] sums) {
    for (int at = 0; at < units.length; at++) {
      double held = sums[2 * at];
      if (held > 0) {
        decisions[at] += (long) held;
        units[at]++;
        double influence = sums[2 * at + 1];
        squares.add(at, influence * influence);
      }
    }
  }

  InfluenceSquares join(InfluenceSquares other) {
    for (int at = 0; at < units.length; at++) {
      decisions[at] += other.decisions[at];
      units[at] += other.units[at];
    }
    squares.merge(other.squares);
    return this;
  }

  Estimate estimate(Influence influence, int at) {
    double perDecision = decisions[at] / (double) influence.scale();
    return StandardError.estimate(
        influence.value(), squares.get(at) * perDecision * perDecision, decisions[at], units[at]);
  }
}
