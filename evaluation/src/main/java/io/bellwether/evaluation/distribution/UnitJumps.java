package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;

/**
 * For every point y of a grid, sums over units of A², AB and B², where A is a unit's weight at or
 * below y and B its weight above. Kept as the jumps that each unit makes, so that a unit costs as
 * much as it has decisions, whatever the grid. Confined to one thread.
 *
 * <p>With them Σ(A − F·(A+B))² = (1−F)²ΣA² − 2F(1−F)ΣAB + F²ΣB², which loses no digits where F is
 * near 0 or 1.
 */
final class UnitJumps {
  private final CompensatedSums below;
  private final CompensatedSums both;
  private final CompensatedSums above;

  /** The current unit's decisions: point in the upper half, number in {@link #weights} below. */
  private long[] decisions = new long[16];

  private double[] weights = new double[16];
  private int size;
  private long unit;
  private long units;

  UnitJumps(int points) {
    below = new CompensatedSums(points);
    both = new CompensatedSums(points);
    above = new CompensatedSums(points);
  }

  void add(long unit, int point, double weight) {
    if (size > 0 && unit != this.unit) {
      closeUnit();
    }
    this.unit = unit;
    if (size == weights.length) {
      decisions = Arrays.copyOf(decisions, 2 * size);
      weights = Arrays.copyOf(weights, 2 * size);
    }
    decisions[size] = ((long) point << Integer.SIZE) | size;
    weights[size++] = weight;
  }

  /** Σ over units of (A − F·(A+B))² at every point, after the last decision. */
  double[] squares(double[] cumulative) {
    closeUnit();
    double[] squares = new double[cumulative.length];
    CompensatedSums running = new CompensatedSums(2);
    for (int point = 0; point < squares.length; point++) {
      double rest = 1 - cumulative[point];
      running.add(0, below.get(point));
      running.add(1, both.get(point));
      squares[point] = rest * rest * running.get(0) - 2 * cumulative[point] * rest * running.get(1);
    }
    CompensatedSums fromTop = new CompensatedSums(1);
    for (int point = squares.length - 1; point >= 0; point--) {
      squares[point] += cumulative[point] * cumulative[point] * fromTop.get(0);
      squares[point] = Math.max(0, squares[point]);
      fromTop.add(0, above.get(point));
    }
    return squares;
  }

  /** How many units there were, after {@link #squares}. */
  long units() {
    return units;
  }

  private void closeUnit() {
    if (size == 0) {
      return;
    }
    units++;
    Arrays.sort(decisions, 0, size);
    double total = 0;
    for (int at = 0; at < size; at++) {
      total += weights[at];
    }
    double a = 0;
    double b = total;
    for (int at = 0; at < size; at++) {
      int point = (int) (decisions[at] >>> Integer.SIZE);
      double moreA = a + weights[(int) decisions[at]];
      double lessB = at == size - 1 ? 0 : Math.max(0, total - moreA);
      below.add(point, moreA * moreA - a * a);
      both.add(point, moreA * lessB - a * b);
      above.add(point, b * b - lessB * lessB);
      a = moreA;
      b = lessB;
    }
    size = 0;
  }
}
