package io.bellwether.evaluation.offpolicy;

import java.util.function.IntToLongFunction;

/**
 * Which decisions belong to the same independent unit: a dense number per decision, in the order of
 * the units' first decisions. Immutable.
 *
 * <p>Where the decisions of each unit stand together it keeps one number per {@value #STRIDE}
 * decisions, and none where each has a unit of its own; otherwise one per decision. Finding the
 * numbers takes a hash table unless the units are in ascending order, signed or unsigned.
 *
 * @see LoggedDecisions#units()
 */
public final class UnitIndex {
  private static final int STRIDE = 64;

  private final int decisions;
  private final int count;
  private final boolean together;
  private final IntToLongFunction unit;

  /** By decision where units are scattered, else by stride; empty without repeated units. */
  private final int[] numbers;

  private UnitIndex(
      int decisions, int count, boolean together, IntToLongFunction unit, int[] numbers) {
    this.decisions = decisions;
    this.count = count;
    this.together = together;
    this.unit = unit;
    this.numbers = numbers;
  }

  /** The index of given units, one a decision or an episode; the array is not copied. */
  public static UnitIndex of(long[] unitOfDecision) {
    return of(unitOfDecision.length, decision -> unitOfDecision[decision]);
  }

  /**
   * The index of the units of so many decisions.
   *
   * @param unit of a decision; read again later, so it must not change
   */
  static UnitIndex of(int decisions, IntToLongFunction unit) {
    return isSorted(decisions, unit) ? ofRuns(decisions, unit) : ofAny(decisions, unit);
  }

  /** Of units in any order. */
  static UnitIndex ofAny(int decisions, IntToLongFunction unit) {
    int capacity = Integer.highestOneBit(Math.max(16, Math.min(decisions, 1 << 28))) * 4;
    long[] keys = new long[capacity];
    int[] numberOfKey = new int[capacity];
    int[] dense = new int[decisions];
    int count = 0;
    boolean together = true;
    for (int decision = 0; decision < decisions; decision++) {
      long key = unit.applyAsLong(decision);
      int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 33) & (capacity - 1);
      while (numberOfKey[slot] != 0 && keys[slot] != key) {
        slot = (slot + 1) & (capacity - 1);
      }
      if (numberOfKey[slot] == 0) {
        keys[slot] = key;
        numberOfKey[slot] = ++count;
      }
      dense[decision] = numberOfKey[slot] - 1;
      together &= dense[decision] == count - 1;
    }
    return together ? ofRuns(decisions, unit) : new UnitIndex(decisions, count, false, unit, dense);
  }

  private static boolean isSorted(int decisions, IntToLongFunction unit) {
    boolean signed = true;
    boolean unsigned = true;
    long before = decisions > 0 ? unit.applyAsLong(0) : 0;
    for (int decision = 1; decision < decisions && (signed || unsigned); decision++) {
      long at = unit.applyAsLong(decision);
      signed &= before <= at;
      unsigned &= Long.compareUnsigned(before, at) <= 0;
      before = at;
    }
    return signed || unsigned;
  }

  private static UnitIndex ofRuns(int decisions, IntToLongFunction unit) {
    int[] ofStride = new int[decisions / STRIDE + 1];
    int count = 0;
    long before = 0;
    for (int decision = 0; decision < decisions; decision++) {
      long at = unit.applyAsLong(decision);
      if (decision == 0 || at != before) {
        count++;
      }
      if (decision % STRIDE == 0) {
        ofStride[decision / STRIDE] = count - 1;
      }
      before = at;
    }
    return new UnitIndex(decisions, count, true, unit, count == decisions ? new int[0] : ofStride);
  }

  public int count() {
    return count;
  }

  public int decisions() {
    return decisions;
  }

  /** The number of a decision's unit, below {@link #count}. */
  public int unitOf(int decision) {
    if (!together) {
      return numbers[decision];
    }
    if (!repeats()) {
      return decision;
    }
    int number = numbers[decision / STRIDE];
    for (int at = decision - decision % STRIDE + 1; at <= decision; at++) {
      number += startsUnit(at) ? 1 : 0;
    }
    return number;
  }

  public boolean repeats() {
    return count < decisions;
  }

  /** Whether the decisions of each unit stand together. */
  boolean standTogether() {
    return together;
  }

  /** Whether a decision is of another unit than the one before it. */
  boolean startsUnit(int decision) {
    return decision == 0 || unit.applyAsLong(decision) != unit.applyAsLong(decision - 1);
  }

  /** The first decision at or after a decision that starts a unit, or the number of decisions. */
  int nextStart(int decision) {
    int at = decision;
    while (at < decisions && !startsUnit(at)) {
      at++;
    }
    return at;
  }
}
