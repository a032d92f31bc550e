package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.Arrays;
import java.util.List;

/** Correlations of several values of one log. */
final class InfluenceCorrelation {
  private InfluenceCorrelation() {}

  /**
   * Symmetric, 1 on the diagonal and 0 in the row and column of a value without spread, {@code
   * [i][j]}; needs two units.
   */
  static double[][] of(List<Influence> influences, UnitIndex units) {
    double[][] matrix = Influence.covariances(influences, units);
    double[] spread = new double[matrix.length];
    Arrays.setAll(spread, at -> Math.sqrt(matrix[at][at]));
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j < matrix.length; j++) {
        double both = spread[i] * spread[j];
        matrix[i][j] = both > 0 ? Math.max(-1, Math.min(1, matrix[i][j] / both)) : 0;
      }
    }
    return matrix;
  }
}
