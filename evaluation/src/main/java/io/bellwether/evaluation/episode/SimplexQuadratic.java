package io.bellwether.evaluation.episode;

/**
 * The point of the simplex (entries at least 0, sum 1) that minimises {@code xᵀMx} for a symmetric
 * positive semidefinite M.
 *
 * <p>Source: Wolfe, "Finding the Nearest Point in a Polytope", 1976, on M as the inner products of
 * the corners. An active set: corners come in while they promise a decrease, and leave when the
 * best point of their plane lies outside; each plane is solved exactly, so there is no step size.
 */
final class SimplexQuadratic {
  /** A decrease below this share of the largest entry ends the search. */
  private static final double TOLERANCE = 1e-13;

  /** Keeps planes of corners that are copies of one another solvable. */
  private static final double RIDGE = 1e-14;

  private final double[][] matrix;
  private final int size;
  private final double scale;
  private final double[] weights;
  private final boolean[] active;

  private SimplexQuadratic(double[][] matrix) {
    this.matrix = matrix;
    this.size = matrix.length;
    this.weights = new double[size];
    this.active = new boolean[size];
    double largest = 0;
    for (int i = 0; i < size; i++) {
      largest = Math.max(largest, matrix[i][i]);
    }
    this.scale = largest;
  }

  /** The minimiser; with a matrix of zeros all weight stands on the first corner. */
  static double[] minimise(double[][] matrix) {
    SimplexQuadratic problem = new SimplexQuadratic(matrix);
    problem.solve();
    return problem.weights;
  }

  private void solve() {
    int best = 0;
    for (int i = 1; i < size; i++) {
      best = matrix[i][i] < matrix[best][best] ? i : best;
    }
    weights[best] = 1;
    active[best] = true;
    // a corner comes in at most a few times; the bound only guards against rounding
    for (int round = 0; round < 10 * size; round++) {
      int entering = mostPromising();
      if (entering < 0) {
        return;
      }
      active[entering] = true;
      settle();
    }
  }

  /** The corner whose gradient lies furthest below the value at hand; -1 where none does. */
  private int mostPromising() {
    double[] gradient = gradient();
    double value = 0;
    for (int i = 0; i < size; i++) {
      value += weights[i] * gradient[i];
    }
    int found = -1;
    double least = value - TOLERANCE * scale;
    for (int i = 0; i < size; i++) {
      if (!active[i] && gradient[i] < least) {
        least = gradient[i];
        found = i;
      }
    }
    return found;
  }

  private double[] gradient() {
    double[] gradient = new double[size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        gradient[i] += matrix[i][j] * weights[j];
      }
    }
    return gradient;
  }

  /** Walks towards the best point of the active corners' plane, dropping those that it leaves. */
  private void settle() {
    for (int round = 0; round <= size; round++) {
      double[] plane = bestOfPlane();
      double share = 1;
      int leaving = -1;
      for (int i = 0; i < size; i++) {
        if (active[i] && plane[i] < 0) {
          double until = weights[i] / (weights[i] - plane[i]);
          if (until < share || leaving < 0) {
            share = until;
            leaving = i;
          }
        }
      }
      for (int i = 0; i < size; i++) {
        weights[i] = active[i] ? weights[i] + share * (plane[i] - weights[i]) : 0;
      }
      if (leaving < 0) {
        return;
      }
      active[leaving] = false;
      weights[leaving] = 0;
    }
  }

  /** The minimiser over sums of 1 of the active corners: M x = λ 1, scaled. */
  private double[] bestOfPlane() {
    int[] corner = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (active[i]) {
        corner[count++] = i;
      }
    }
    // bordered by the sum's condition, in units of the scale, so that pivots are comparable
    double[][] system = new double[count + 1][count + 2];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        system[i][j] = scale > 0 ? matrix[corner[i]][corner[j]] / scale : 0;
      }
      system[i][i] += RIDGE;
      system[i][count] = 1;
      system[count][i] = 1;
    }
    system[count][count + 1] = 1;
    double[] solution = LinearSystem.solve(system);
    double[] point = new double[size];
    for (int i = 0; i < count; i++) {
      point[corner[i]] = solution[i];
    }
    return point;
  }
}
