package io.bellwether.evaluation.support;

/**
 * dᵀ V⁺ d for a symmetric, positive semi-definite V: how unlikely a deviation d is in units of its
 * own covariance, where some combinations cannot deviate at all.
 *
 * <p>V is diagonalised by cyclic Jacobi rotations, which are applied to d as they come, so that
 * eigenvectors are never stored. Source: Golub and Van Loan, "Matrix Computations", section 8.5.
 *
 * @param value the sum over eigenvalues above 1e-10 of the largest
 * @param rank how many of them there are
 * @param outside length of the part of d that V says is impossible
 */
record QuadraticForm(double value, int rank, double outside) {
  private static final double RANK_TOLERANCE = 1e-10;
  private static final double OFF_DIAGONAL_TOLERANCE = 1e-15;

  /** Convergence is quadratic: 10 sweeps are many even for 200 rows. */
  private static final int MAX_SWEEPS = 60;

  /** Uses up both arguments as working space. */
  static QuadraticForm of(double[][] covariance, double[] deviation) {
    diagonalise(covariance, deviation);
    double largest = 0;
    for (int row = 0; row < deviation.length; row++) {
      largest = Math.max(largest, covariance[row][row]);
    }
    double value = 0;
    double outside = 0;
    int rank = 0;
    for (int row = 0; row < deviation.length; row++) {
      double square = deviation[row] * deviation[row];
      if (covariance[row][row] > RANK_TOLERANCE * largest) {
        value += square / covariance[row][row];
        rank++;
      } else {
        outside += square;
      }
    }
    return new QuadraticForm(value, rank, Math.sqrt(outside));
  }

  private static void diagonalise(double[][] matrix, double[] vector) {
    double small = OFF_DIAGONAL_TOLERANCE * norm(matrix, true);
    for (int sweep = 0; sweep < MAX_SWEEPS && norm(matrix, false) > small; sweep++) {
      for (int p = 0; p < vector.length - 1; p++) {
        for (int q = p + 1; q < vector.length; q++) {
          if (matrix[p][q] != 0) {
            rotate(matrix, vector, p, q);
          }
        }
      }
    }
  }

  /** The rotation of rows and columns p and q that makes {@code matrix[p][q]} 0. */
  private static void rotate(double[][] matrix, double[] vector, int p, int q) {
    double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    double tangent = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double cosine = 1 / Math.hypot(tangent, 1);
    double sine = tangent * cosine;
    double shift = tangent * matrix[p][q];
    double ofP = matrix[p][p] - shift;
    double ofQ = matrix[q][q] + shift;
    double[] rowP = matrix[p];
    double[] rowQ = matrix[q];
    for (int k = 0; k < vector.length; k++) {
      double before = rowP[k];
      rowP[k] = cosine * before - sine * rowQ[k];
      rowQ[k] = sine * before + cosine * rowQ[k];
      matrix[k][p] = rowP[k];
      matrix[k][q] = rowQ[k];
    }
    rowP[p] = ofP;
    rowQ[q] = ofQ;
    rowP[q] = 0;
    rowQ[p] = 0;
    double before = vector[p];
    vector[p] = cosine * before - sine * vector[q];
    vector[q] = sine * before + cosine * vector[q];
  }

  /** Root of the sum of squares, with the diagonal or without it. */
  private static double norm(double[][] matrix, boolean diagonal) {
    double squares = 0;
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < matrix.length; column++) {
        squares += row != column || diagonal ? matrix[row][column] * matrix[row][column] : 0;
      }
    }
    return Math.sqrt(squares);
  }
}
