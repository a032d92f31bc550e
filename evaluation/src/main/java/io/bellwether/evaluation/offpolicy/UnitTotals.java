package io.bellwether.evaluation.offpolicy;

/**
 * Sums of terms and counts of decisions by unit, in an open-addressed table of flat arrays: {@code
 * totals[slot * width + term]}. Memory is about 2·(width + 2)·8 bytes a unit. Confined to one
 * thread.
 */
final class UnitTotals {
  private static final int FIRST_CAPACITY = 64;

  private final int width;
  private long[] units = new long[FIRST_CAPACITY];
  private long[] counts = new long[FIRST_CAPACITY];
  private double[] totals;
  private int size;

  UnitTotals(int width) {
    this.width = width;
    totals = new double[FIRST_CAPACITY * width];
  }

  void add(long unit, double[] terms) {
    int slot = slotOf(unit);
    counts[slot]++;
    for (int term = 0; term < width; term++) {
      totals[slot * width + term] += terms[term];
    }
  }

  void merge(UnitTotals other) {
    for (int theirs = 0; theirs < other.units.length; theirs++) {
      if (other.counts[theirs] > 0) {
        int slot = slotOf(other.units[theirs]);
        counts[slot] += other.counts[theirs];
        for (int term = 0; term < width; term++) {
          totals[slot * width + term] += other.totals[theirs * width + term];
        }
      }
    }
  }

  int size() {
    return size;
  }

  /** Σ over units of (gradient · (totals − count·means))². */
  double influenceSquares(double[] means, double[] gradient) {
    double centre = 0;
    for (int term = 0; term < width; term++) {
      centre += gradient[term] * means[term];
    }
    double squares = 0;
    for (int slot = 0; slot < units.length; slot++) {
      double influence = -centre * counts[slot];
      for (int term = 0; term < width; term++) {
        influence += gradient[term] * totals[slot * width + term];
      }
      squares += influence * influence;
    }
    return squares;
  }

  /** Σ over units and terms of (gradient·total)². */
  double uncentredSquares(double[] gradient) {
    double squares = 0;
    for (int at = 0; at < totals.length; at++) {
      double total = gradient[at % width] * totals[at];
      squares += total * total;
    }
    return squares;
  }

  private int slotOf(long unit) {
    if (size * 2 >= units.length) {
      grow();
    }
    int slot = find(units, counts, unit);
    if (counts[slot] == 0) {
      units[slot] = unit;
      size++;
    }
    return slot;
  }

  private void grow() {
    int capacity = units.length * 2;
    long[] moreUnits = new long[capacity];
    long[] moreCounts = new long[capacity];
    double[] moreTotals = new double[capacity * width];
    for (int old = 0; old < units.length; old++) {
      if (counts[old] > 0) {
        int slot = find(moreUnits, moreCounts, units[old]);
        moreUnits[slot] = units[old];
        moreCounts[slot] = counts[old];
        System.arraycopy(totals, old * width, moreTotals, slot * width, width);
      }
    }
    units = moreUnits;
    counts = moreCounts;
    totals = moreTotals;
  }

  private static int find(long[] units, long[] counts, long unit) {
    int mask = units.length - 1;
    int slot = (int) ((unit * 0x9E3779B97F4A7C15L) >>> 33) & mask;
    while (counts[slot] != 0 && units[slot] != unit) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
