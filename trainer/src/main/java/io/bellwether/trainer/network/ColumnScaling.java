package io.bellwether.trainer.network;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * How each column of a block is scaled before it enters a network: {@code (value - shift) * scale},
 * both of one entry per column. Numbers are standardised, flags pass, categories (which enter by
 * their embedding) and constant columns have scale 0. The arrays are not copied and must not be
 * changed.
 */
@SuppressWarnings("ArrayRecordComponent")
public record ColumnScaling(float[] shift, float[] scale) {
  /**
   * A column varies when its deviation is above this share of its largest magnitude; below, it is
   * rounding.
   */
  private static final double SMALLEST_VARIATION = 1e-6;

  public ColumnScaling {
    if (shift.length != scale.length) {
      throw new IllegalArgumentException(shift.length + " shifts for " + scale.length + " scales");
    }
  }

  /**
   * Measures columns over rows {@code values[row * width + column]} of which {@code used} says
   * which count.
   */
  public static ColumnScaling measure(List<Column> columns, float[] values, IntPredicate used) {
    int width = columns.size();
    float[] shift = new float[width];
    float[] scale = new float[width];
    for (int column = 0; column < width; column++) {
      if (columns.get(column) instanceof Column.Flag) {
        scale[column] = 1;
      } else if (columns.get(column) instanceof Column.Number) {
        measure(values, column, width, used, shift, scale);
      }
    }
    return new ColumnScaling(shift, scale);
  }

  /**
   * Two passes in row order and double precision: reproducible, and exact enough for far-off means.
   */
  private static void measure(
      float[] values, int column, int width, IntPredicate used, float[] shift, float[] scale) {
    int rows = values.length / width;
    long count = 0;
    double sum = 0;
    double largest = 0;
    for (int row = 0; row < rows; row++) {
      if (used.test(row)) {
        double value = values[row * width + column];
        count++;
        sum += value;
        largest = Math.max(largest, Math.abs(value));
      }
    }
    if (count == 0) {
      return;
    }
    double mean = sum / count;
    double squares = 0;
    for (int row = 0; row < rows; row++) {
      if (used.test(row)) {
        double deviation = values[row * width + column] - mean;
        squares += deviation * deviation;
      }
    }
    double deviation = Math.sqrt(squares / count);
    if (deviation > SMALLEST_VARIATION * largest) {
      shift[column] = (float) mean;
      scale[column] = (float) (1 / deviation);
    }
  }
}
