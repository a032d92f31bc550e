package io.bellwether.evaluation.support;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.ChiSquare;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sums of the calibration test over decisions: how often each action was shown, how often it should
 * have been, and the covariance of the difference, as a lower triangle {@code row·(row+1)/2 +
 * column}. A decision costs half the square of its candidates. Confined to one thread.
 */
final class CalibrationSums {
  /** Plain sums of so many decisions are exact enough to be added to the compensated ones. */
  private static final int BLOCK = 1024;

  private static final double LEAST_EXPECTED = 5;

  private static final double ROUNDING = 1e-12;

  /** A whole item shown against all propensities has length 1 outside of the covariance. */
  private static final double MAX_OUTSIDE = 0.5;

  private final int size;
  private final long[] shown;
  private final CompensatedSums expected;
  private final CompensatedSums covariance;
  private final double[] block;
  private int inBlock;

  CalibrationSums(int size) {
    this.size = size;
    shown = new long[size];
    expected = new CompensatedSums(size);
    block = new double[size * (size + 1) / 2];
    covariance = new CompensatedSums(block.length);
  }

  /** Adds a decision, whose chances add up to 1. */
  void add(ActionChances chances, int shownAction) {
    shown[shownAction]++;
    for (int each = 0; each < chances.count; each++) {
      int action = chances.actions[each];
      expected.add(action, chances.chance[action]);
      block[at(action, action)] += chances.chance[action];
    }
    if (2 * chances.count > size) {
      subtractProducts(chances.chance);
    } else {
      subtractProducts(chances);
    }
    if (++inBlock == BLOCK) {
      flush();
    }
  }

  /** Of most actions: along whole rows, which takes the processor several at a time. */
  private void subtractProducts(double[] chance) {
    int start = 0;
    for (int row = 0; row < size; row++) {
      double p = chance[row];
      for (int column = 0; column <= row; column++) {
        block[start + column] -= p * chance[column];
      }
      start += row + 1;
    }
  }

  /** Of few actions. */
  private void subtractProducts(ActionChances chances) {
    for (int left = 0; left < chances.count; left++) {
      int row = chances.actions[left];
      double p = chances.chance[row];
      for (int right = 0; right <= left; right++) {
        int column = chances.actions[right];
        block[at(Math.max(row, column), Math.min(row, column))] -= p * chances.chance[column];
      }
    }
  }

  void merge(CalibrationSums other) {
    flush();
    other.flush();
    for (int action = 0; action < size; action++) {
      shown[action] += other.shown[action];
    }
    expected.merge(other.expected);
    covariance.merge(other.covariance);
  }

  long shown(int action) {
    return shown[action];
  }

  double expected(int action) {
    return expected.get(action);
  }

  Calibration test() {
    flush();
    long decisions = Arrays.stream(shown).sum();
    if (decisions == 0) {
      return new Calibration.Untested("NO_VECTORS");
    }
    int[] group = groups();
    int groups = Arrays.stream(group).max().orElse(0) + 1;
    if (groups == 1 && hasSeveralActions()) {
      return new Calibration.Untested("TOO_FEW_DECISIONS");
    }
    double[] deviation = new double[groups];
    double[][] variance = new double[groups][groups];
    for (int row = 0; row < size; row++) {
      deviation[group[row]] += shown[row] - expected.get(row);
      for (int column = 0; column <= row; column++) {
        double value = covariance.get(at(row, column));
        variance[group[row]][group[column]] += value;
        if (row != column) {
          variance[group[column]][group[row]] += value;
        }
      }
    }
    double distance = Arrays.stream(deviation).map(Math::abs).sum() / 2 / decisions;
    clearRounding(variance, decisions);
    QuadraticForm form = QuadraticForm.of(variance, deviation);
    if (form.outside() > MAX_OUTSIDE) {
      return new Calibration.Tested(form.value(), form.rank(), 0, distance);
    }
    return form.rank() == 0
        ? new Calibration.Untested("NO_CHOICE")
        : new Calibration.Tested(
            form.value(), form.rank(), ChiSquare.survival(form.value(), form.rank()), distance);
  }

  private boolean hasSeveralActions() {
    return IntStream.range(0, size).filter(action -> expected.get(action) > 0).count() > 1;
  }

  /** A covariance that is all rounding is none. */
  private static void clearRounding(double[][] variance, long decisions) {
    double largest = 0;
    for (int row = 0; row < variance.length; row++) {
      largest = Math.max(largest, variance[row][row]);
    }
    if (largest <= ROUNDING * decisions) {
      for (double[] row : variance) {
        Arrays.fill(row, 0);
      }
    }
  }

  /**
   * Which actions are tested together: rare ones join the last, which stands for the others anyway.
   * Groups are numbered from 0 without gaps.
   */
  private int[] groups() {
    int[] group = new int[size];
    int next = 1;
    for (int action = 0; action < size - 1; action++) {
      group[action] = expected.get(action) < LEAST_EXPECTED ? 0 : next++;
    }
    return group;
  }

  private void flush() {
    if (inBlock == 0) {
      return;
    }
    for (int at = 0; at < block.length; at++) {
      if (block[at] != 0) {
        covariance.add(at, block[at]);
        block[at] = 0;
      }
    }
    inBlock = 0;
  }

  void writeTo(DataOutput out) throws IOException {
    flush();
    for (int action = 0; action < size; action++) {
      out.writeLong(shown[action]);
      out.writeDouble(expected.get(action));
    }
    for (int at = 0; at < block.length; at++) {
      out.writeDouble(covariance.get(at));
    }
  }

  void read(DataInput in) throws IOException {
    for (int action = 0; action < size; action++) {
      shown[action] = in.readLong();
      expected.add(action, in.readDouble());
    }
    for (int at = 0; at < block.length; at++) {
      covariance.add(at, in.readDouble());
    }
  }

  private static int at(int row, int column) {
    return row * (row + 1) / 2 + column;
  }
}
