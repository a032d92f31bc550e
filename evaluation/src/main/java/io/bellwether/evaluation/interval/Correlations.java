package io.bellwether.evaluation.interval;

import io.bellwether.evaluation.CompensatedSums;

/**
 * The correlation matrix of several estimates from their influence values, unit by unit. Constant
 * memory, confined to one thread; parts are joined with {@link #merge}.
 */
public final class Correlations {
  private final int size;
  private final CompensatedSums sums;
  private final CompensatedSums products;
  private long count;

  public Correlations(int size) {
    this.size = size;
    sums = new CompensatedSums(size);
    products = new CompensatedSums(size * (size + 1) / 2);
  }

  /** Adds one unit's values, one per estimate; the array is not kept. */
  public void add(double[] values) {
    count++;
    int product = 0;
    for (int row = 0; row < size; row++) {
      sums.add(row, values[row]);
      for (int column = 0; column <= row; column++) {
        products.add(product++, values[row] * values[column]);
      }
    }
  }

  public void merge(Correlations other) {
    count += other.count;
    sums.merge(other.sums);
    products.merge(other.products);
  }

  /** Symmetric, 1 on the diagonal; 0 in the row and column of values without spread. */
  public double[][] matrix() {
    double[][] matrix = new double[size][size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column <= row; column++) {
        double spread = Math.sqrt(covariance(row, row) * covariance(column, column));
        double correlation = spread > 0 ? covariance(row, column) / spread : 0;
        double clipped = row == column ? Math.signum(spread) : clip(correlation);
        matrix[row][column] = clipped;
        matrix[column][row] = clipped;
      }
    }
    return matrix;
  }

  /** Times the number of units. */
  private double covariance(int row, int column) {
    double squares = products.get(row * (row + 1) / 2 + column);
    double value = squares - sums.get(row) * sums.get(column) / count;
    return row == column ? Math.max(0, value) : value;
  }

  private static double clip(double correlation) {
    return Math.max(-1, Math.min(1, correlation));
  }
}
