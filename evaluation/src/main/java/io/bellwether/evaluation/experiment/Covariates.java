package io.bellwether.evaluation.experiment;

import java.util.Arrays;
import java.util.List;

/**
 * CUPED: totals of the time before the experiment, which no variant can have changed, take off the
 * part of a metric's variance that they explain. What remains of it is 1 − ρ².
 *
 * <pre>
 * effect = (ȳ_b − ȳ_a) − θ·(x̄_b − x̄_a)
 * one covariate:   θ = Cov(y, x) / Var(x) over all units of both variants
 * several:         θ = (n_a θ_b + n_b θ_a) / (n_a + n_b), θ_a and θ_b by least squares per variant
 * </pre>
 *
 * <p>The second is the regression with interactions of variant and centred covariates, whose
 * coefficients meet in one θ; it is never worse than none, whatever the shares. A covariate that is
 * constant or follows from the ones before it gets 0.
 *
 * <p>Sources: Deng, Xu, Kohavi and Walker, "Improving the Sensitivity of Online Controlled
 * Experiments by Utilizing Pre-Experiment Data", 2013; Lin, "Agnostic Notes on Regression
 * Adjustments to Experimental Data", 2013.
 *
 * @param columns in order of preference
 */
record Covariates(List<String> columns) {
  /**
   * A covariate of which the ones before leave less than this share is taken to follow from them.
   */
  private static final double NEW = 1e-9;

  Covariates {
    columns = List.copyOf(columns);
  }

  /**
   * θ by column of the moments.
   *
   * @param used how many are not constant and do not follow from others
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, not compared
  record Slopes(double[] theta, int used) {

    /** Factors of the columns after the adjustment. */
    double[] adjusted(double[] factors) {
      double[] adjusted = factors.clone();
      for (int column = 0; column < theta.length; column++) {
        adjusted[column] -= theta[column];
      }
      return adjusted;
    }
  }

  /** Of two variants with at least two units each. */
  Slopes slopes(Linear metric, Moments control, Moments treatment) {
    Moments pooled = control.plus(treatment);
    Slopes common = leastSquares(metric, pooled);
    if (common.used() < 2) {
      return common;
    }
    Slopes first = leastSquares(metric, control);
    Slopes second = leastSquares(metric, treatment);
    double weight = (double) control.units() / pooled.units();
    double[] theta = new double[pooled.columns().size()];
    for (int column = 0; column < theta.length; column++) {
      theta[column] = weight * second.theta()[column] + (1 - weight) * first.theta()[column];
    }
    return new Slopes(theta, common.used());
  }

  private Slopes leastSquares(Linear metric, Moments moments) {
    int[] present =
        columns.stream().filter(moments::has).mapToInt(moments::index).distinct().toArray();
    double[] influence = metric.influence(moments);
    int size = present.length;
    double[][] matrix = new double[size][size + 1];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        matrix[row][column] = moments.covariance(present[row], present[column]);
      }
      matrix[row][size] = moments.covarianceWith(influence, present[row]);
    }
    boolean[] used = eliminate(matrix);
    double[] theta = new double[moments.columns().size()];
    int count = 0;
    for (int row = 0; row < size; row++) {
      if (used[row]) {
        theta[present[row]] = matrix[row][size];
        count++;
      }
    }
    return new Slopes(theta, count);
  }

  /** Gauss and Jordan, in order; rows without a pivot of their own are left out. */
  private static boolean[] eliminate(double[][] matrix) {
    int size = matrix.length;
    double[] before = new double[size];
    Arrays.setAll(before, row -> matrix[row][row]);
    boolean[] used = new boolean[size];
    for (int pivot = 0; pivot < size; pivot++) {
      if (matrix[pivot][pivot] <= NEW * before[pivot]) {
        continue;
      }
      used[pivot] = true;
      double[] leading = matrix[pivot];
      double scale = leading[pivot];
      Arrays.setAll(leading, column -> leading[column] / scale);
      for (int row = 0; row < size; row++) {
        if (row != pivot) {
          double[] other = matrix[row];
          double factor = other[pivot];
          Arrays.setAll(other, column -> other[column] - factor * leading[column]);
        }
      }
    }
    return used;
  }
}
