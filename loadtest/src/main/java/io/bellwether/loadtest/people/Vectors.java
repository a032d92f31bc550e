package io.bellwether.loadtest.people;

import java.util.Arrays;
import java.util.List;

/** Arithmetic on topic vectors. */
final class Vectors {
  private Vectors() {}

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }

  /** Scales {@code vector} in place to Euclidean length 1. */
  static double[] normalise(double[] vector) {
    double length = Math.sqrt(dot(vector, vector));
    for (int k = 0; k < vector.length; k++) {
      vector[k] /= length;
    }
    return vector;
  }

  static List<Double> list(double[] vector) {
    return Arrays.stream(vector).boxed().toList();
  }
}
