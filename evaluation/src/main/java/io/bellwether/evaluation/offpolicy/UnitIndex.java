package io.bellwether.evaluation.offpolicy;

import java.util.function.IntToLongFunction;

/**
 * Which decisions belong to the same independent unit: a dense number per decision. Immutable.
 *
 * @see LoggedDecisions#units()
 */
public final class UnitIndex {
  private final int[] unitOfDecision;
  private final int count;

  private UnitIndex(int[] unitOfDecision, int count) {
    this.unitOfDecision = unitOfDecision;
    this.count = count;
  }

  /** Numbers the units in the order of their first decision. */
  static UnitIndex of(int decisions, IntToLongFunction unitOfDecision) {
    int capacity = Integer.highestOneBit(Math.max(16, decisions)) * 4;
    long[] keys = new long[capacity];
    int[] numbers = new int[capacity];
    int[] dense = new int[decisions];
    int count = 0;
    for (int decision = 0; decision < dense.length; decision++) {
      long unit = unitOfDecision.applyAsLong(decision);
      int slot = (int) ((unit * 0x9E3779B97F4A7C15L) >>> 33) & (capacity - 1);
      while (numbers[slot] != 0 && keys[slot] != unit) {
        slot = (slot + 1) & (capacity - 1);
      }
      if (numbers[slot] == 0) {
        keys[slot] = unit;
        numbers[slot] = ++count;
      }
      dense[decision] = numbers[slot] - 1;
    }
    return new UnitIndex(dense, count);
  }

  public int count() {
    return count;
  }

  public int decisions() {
    return unitOfDecision.length;
  }

  public int unitOf(int decision) {
    return unitOfDecision[decision];
  }

  public boolean repeats() {
    return count < unitOfDecision.length;
  }
}
