package io.bellwether.evaluation.episode;

/** Gaussian elimination with partial pivoting, for systems of some dozens of unknowns. */
final class LinearSystem {
  private LinearSystem() {}

  /**
   * Solves a system in place.
   *
   * @param system {@code [n][n + 1]}, the right-hand side in the last column; overwritten
   * @throws ArithmeticException when it is singular
   */
  static double[] solve(double[][] system) {
    int size = system.length;
    for (int column = 0; column < size; column++) {
      int pivot = column;
      for (int row = column + 1; row < size; row++) {
        pivot = Math.abs(system[row][column]) > Math.abs(system[pivot][column]) ? row : pivot;
      }
      double[] swapped = system[column];
      system[column] = system[pivot];
      system[pivot] = swapped;
      double[] top = system[column];
      if (top[column] == 0) {
        throw new ArithmeticException("a singular system of " + size + " unknowns");
      }
      for (int row = column + 1; row < size; row++) {
        double factor = system[row][column] / top[column];
        for (int at = column; at <= size; at++) {
          system[row][at] -= factor * top[at];
        }
      }
    }
    double[] solution = new double[size];
    for (int row = size - 1; row >= 0; row--) {
      double left = system[row][size];
      for (int at = row + 1; at < size; at++) {
        left -= system[row][at] * solution[at];
      }
      solution[row] = left / system[row][row];
    }
    return solution;
  }
}
