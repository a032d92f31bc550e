package io.bellwether.evaluation.slate;

/**
 * Eigenvalues and orthonormal eigenvectors of a symmetric matrix, by Jacobi rotations: about 10 n³
 * operations a sweep, seldom more than 8 sweeps, and small eigenvalues keep their digits.
 *
 * <p>Source: Golub and Van Loan, "Matrix Computations", 8.5.
 */
final class SymmetricEigen {
  private static final int MOST_SWEEPS = 60;

  private final int size;
  private final double[] values;

  /** Eigenvector j in column j: {@code vectors[row * size + j]}. */
  private final double[] vectors;

  private SymmetricEigen(int size, double[] values, double[] vectors) {
    this.size = size;
    this.values = values;
    this.vectors = vectors;
  }

  /**
   * @param matrix row after row
   */
  static SymmetricEigen of(double[] matrix, int size) {
    double[] a = matrix.clone();
    double[] v = new double[size * size];
    for (int at = 0; at < size; at++) {
      v[at * size + at] = 1;
    }
    double enough = 1e-32 * squares(a);
    for (int sweep = 0; sweep < MOST_SWEEPS && besideDiagonal(a, size) > enough; sweep++) {
      for (int p = 0; p < size - 1; p++) {
        for (int q = p + 1; q < size; q++) {
          rotate(a, v, size, p, q);
        }
      }
    }
    double[] values = new double[size];
    for (int at = 0; at < size; at++) {
      values[at] = a[at * size + at];
    }
    return new SymmetricEigen(size, values, v);
  }

  /**
   * The shortest x that comes closest to {@code matrix · x = wanted}.
   *
   * @param smallest eigenvalues below it, as a share of the largest, count as 0
   */
  double[] pseudoSolve(double[] wanted, double smallest) {
    double largest = 0;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    double[] x = new double[size];
    for (int j = 0; j < size; j++) {
      if (Math.abs(values[j]) > smallest * largest) {
        double along = 0;
        for (int row = 0; row < size; row++) {
          along += vectors[row * size + j] * wanted[row];
        }
        for (int row = 0; row < size; row++) {
          x[row] += vectors[row * size + j] * along / values[j];
        }
      }
    }
    return x;
  }

  private static void rotate(double[] a, double[] v, int size, int p, int q) {
    double beside = a[p * size + q];
    if (beside == 0) {
      return;
    }
    double theta = (a[q * size + q] - a[p * size + p]) / (2 * beside);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    double s = t * c;
    for (int k = 0; k < size; k++) {
      double kp = a[k * size + p];
      double kq = a[k * size + q];
      a[k * size + p] = c * kp - s * kq;
      a[k * size + q] = s * kp + c * kq;
    }
    for (int k = 0; k < size; k++) {
      double pk = a[p * size + k];
      double qk = a[q * size + k];
      a[p * size + k] = c * pk - s * qk;
      a[q * size + k] = s * pk + c * qk;
      double kp = v[k * size + p];
      double kq = v[k * size + q];
      v[k * size + p] = c * kp - s * kq;
      v[k * size + q] = s * kp + c * kq;
    }
    a[p * size + q] = 0;
    a[q * size + p] = 0;
  }

  private static double squares(double[] a) {
    double squares = 0;
    for (double value : a) {
      squares += value * value;
    }
    return squares;
  }

  private static double besideDiagonal(double[] a, int size) {
    double squares = 0;
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < size; column++) {
        squares += row == column ? 0 : a[row * size + column] * a[row * size + column];
      }
    }
    return squares;
  }
}
