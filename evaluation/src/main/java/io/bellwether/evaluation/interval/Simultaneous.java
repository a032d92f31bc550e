package io.bellwether.evaluation.interval;

import java.util.Arrays;

/** How wide several two-sided normal intervals must be to hold together. */
public enum Simultaneous {
  /** The misses add up: valid whatever the dependence. */
  BONFERRONI {
    @Override
    double quantile(double level, double[][] correlation, long seed) {
      return Normal.quantile(1 - (1 - level) / (2.0 * correlation.length));
    }
  },

  /** As if the estimates were independent, which is the worst case for normal ones. */
  SIDAK {
    @Override
    double quantile(double level, double[][] correlation, long seed) {
      return Normal.quantile((1 + Math.pow(level, 1.0 / correlation.length)) / 2);
    }
  },

  /**
   * The quantile of the largest |z| of correlated normal estimates, by simulation with a
   * Monte-Carlo standard error of about 0.004; the tightest of the three.
   */
  MAX_T {
    @Override
    double quantile(double level, double[][] correlation, long seed) {
      double[] largest = largest(factor(correlation), seed);
      Arrays.sort(largest);
      return Quantiles.ofSorted(largest, level);
    }
  };

  private static final int DRAWS = 1 << 18;
  private static final long TAG = 0x6D617874L;

  /** Smaller pivots are the rounding of a linear dependence between the estimates. */
  private static final double DEPENDENT = 1e-12;

  /**
   * The z for which all intervals {@code estimate ± z·standardError} hold together with probability
   * {@code level}.
   *
   * @param covariances of the estimates, symmetric, in any unit: correlations will do, and 0 for an
   *     estimate without spread
   * @param seed of the simulation; the other methods do not look at it
   */
  public double critical(double level, double[][] covariances, long seed) {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("a level lies in (0, 1), found " + level);
    }
    if (covariances.length == 0 || covariances[0].length != covariances.length) {
      throw new IllegalArgumentException("no square matrix of covariances");
    }
    return quantile(level, correlations(covariances), seed);
  }

  abstract double quantile(double level, double[][] correlation, long seed);

  private static double[][] correlations(double[][] covariances) {
    int size = covariances.length;
    double[][] correlations = new double[size][size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        double spread = Math.sqrt(covariances[row][row] * covariances[column][column]);
        correlations[row][column] = spread > 0 ? covariances[row][column] / spread : 0;
      }
    }
    return correlations;
  }

  private static double[] largest(double[][] factor, long seed) {
    CounterRandom random = new CounterRandom(seed);
    double[] normal = new double[factor.length];
    double[] largest = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      for (int row = 0; row < factor.length; row++) {
        normal[row] = Normal.quantile(random.uniform(TAG, draw, row, 0) + 0x1p-54);
        double correlated = 0;
        for (int column = 0; column <= row; column++) {
          correlated += factor[row][column] * normal[column];
        }
        largest[draw] = Math.max(largest[draw], Math.abs(correlated));
      }
    }
    return largest;
  }

  /** The lower triangle L with L·Lᵀ = correlation (Cholesky), which may be singular. */
  private static double[][] factor(double[][] correlation) {
    int size = correlation.length;
    double[][] factor = new double[size][size];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column <= row; column++) {
        double left = correlation[row][column];
        for (int before = 0; before < column; before++) {
          left -= factor[row][before] * factor[column][before];
        }
        double pivot = factor[column][column];
        if (row == column) {
          factor[row][row] = left > DEPENDENT ? Math.sqrt(left) : 0;
        } else {
          factor[row][column] = pivot > 0 ? left / pivot : 0;
        }
      }
    }
    return factor;
  }
}
