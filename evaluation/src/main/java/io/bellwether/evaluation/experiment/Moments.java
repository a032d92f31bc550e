package io.bellwether.evaluation.experiment;

import java.util.List;

/**
 * First and second moments of the totals of units, from which every mean, ratio and covariance of
 * them follows. Merged by addition, so parts may be summed anywhere and in any order. Immutable.
 *
 * <p>A variance below 1e-12 of the mean square is what rounding leaves of equal values, and is 0
 * here.
 *
 * @param columns names of a unit's totals
 * @param units how many units are in
 * @param sums [columns], over units; not to be written to
 * @param products sums over units of the products of two columns, lower triangle row by row: those
 *     of columns {@code a >= b} at {@code a * (a + 1) / 2 + b}; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // merged, not compared
public record Moments(List<String> columns, long units, double[] sums, double[] products) {
  private static final double ROUNDING = 1e-12;

  public Moments {
    columns = List.copyOf(columns);
    int count = columns.size();
    if (units < 0 || sums.length != count || products.length != count * (count + 1) / 2) {
      throw new IllegalArgumentException(
          "%d units, %d columns, %d sums, %d products"
              .formatted(units, count, sums.length, products.length));
    }
    sums = sums.clone();
    products = products.clone();
  }

  /** Of no unit. */
  public static Moments empty(List<String> columns) {
    int count = columns.size();
    return new Moments(columns, 0, new double[count], new double[count * (count + 1) / 2]);
  }

  /** Of these units and those of the other, which has the same columns. */
  public Moments plus(Moments other) {
    if (!columns.equals(other.columns)) {
      throw new IllegalArgumentException(
          "cannot merge %s into %s".formatted(other.columns, columns));
    }
    return new Moments(
        columns, units + other.units, added(sums, other.sums), added(products, other.products));
  }

  public boolean has(String column) {
    return columns.contains(column);
  }

  /** Whether no sum has overflowed or took in a value that is no number. */
  public boolean finite() {
    return allFinite(sums) && allFinite(products);
  }

  public double sum(String column) {
    return sums[index(column)];
  }

  /** Mean over units, of which there is at least one. */
  public double mean(String column) {
    return mean(index(column));
  }

  /** Sample variance over units (n − 1), of which there are at least two. */
  public double variance(String column) {
    int index = index(column);
    return covariance(index, index);
  }

  /** Sample covariance over units (n − 1), of which there are at least two. */
  public double covariance(String first, String second) {
    return covariance(index(first), index(second));
  }

  int index(String column) {
    int index = columns.indexOf(column);
    if (index < 0) {
      throw new IllegalArgumentException("no column %s in %s".formatted(column, columns));
    }
    return index;
  }

  double mean(int column) {
    require(1);
    return sums[column] / units;
  }

  double covariance(int first, int second) {
    require(2);
    double product = product(first, second);
    double centred = product - sums[first] * (sums[second] / units);
    double scale = Math.sqrt(product(first, first) * product(second, second));
    return Math.abs(centred) <= ROUNDING * scale ? 0 : centred / (units - 1);
  }

  /**
   * Sample variance over units of the sum of columns with these factors; what rounding leaves of no
   * variance is 0.
   *
   * @param factors [columns]
   */
  double varianceOf(double[] factors) {
    double variance = 0;
    double scale = 0;
    for (int row = 0; row < factors.length; row++) {
      for (int column = 0; column < factors.length; column++) {
        double factor = factors[row] * factors[column];
        if (factor != 0) {
          double term = factor * covariance(row, column);
          variance += term;
          scale += Math.abs(term);
        }
      }
    }
    return variance <= ROUNDING * scale ? 0 : variance;
  }

  /** Sample covariance over units of that sum of columns and one column. */
  double covarianceWith(double[] factors, int column) {
    double covariance = 0;
    for (int row = 0; row < factors.length; row++) {
      if (factors[row] != 0) {
        covariance += factors[row] * covariance(row, column);
      }
    }
    return covariance;
  }

  private double product(int first, int second) {
    int row = Math.max(first, second);
    return products[row * (row + 1) / 2 + Math.min(first, second)];
  }

  private void require(long least) {
    if (units < least) {
      throw new IllegalStateException("%d units where %d are needed".formatted(units, least));
    }
  }

  private static double[] added(double[] first, double[] second) {
    double[] sum = new double[first.length];
    for (int index = 0; index < sum.length; index++) {
      sum[index] = first[index] + second[index];
    }
    return sum;
  }

  private static boolean allFinite(double[] values) {
    for (double value : values) {
      if (!Double.isFinite(value)) {
        return false;
      }
    }
    return true;
  }
}
