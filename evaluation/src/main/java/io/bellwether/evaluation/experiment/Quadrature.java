package io.bellwether.evaluation.experiment;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Gauss–Legendre quadrature with {@value #NODES} nodes in each of several adjoining panels, exact
 * for polynomials of degree 31 in a panel. Immutable.
 */
final class Quadrature {
  private static final int NODES = 16;
  private static final double[] UNIT_NODES = new double[NODES];
  private static final double[] UNIT_WEIGHTS = new double[NODES];

  static {
    for (int node = 0; node < NODES; node++) {
      double x = Math.cos(Math.PI * (node + 0.75) / (NODES + 0.5));
      double slope = 1;
      for (int newton = 0; newton < 10; newton++) {
        double last = 1;
        double value = x;
        for (int degree = 2; degree <= NODES; degree++) {
          double next = ((2 * degree - 1) * x * value - (degree - 1) * last) / degree;
          last = value;
          value = next;
        }
        slope = NODES * (x * value - last) / (x * x - 1);
        x -= value / slope;
      }
      UNIT_NODES[NODES - 1 - node] = x;
      UNIT_WEIGHTS[NODES - 1 - node] = 2 / ((1 - x * x) * slope * slope);
    }
  }

  private final double[] nodes;
  private final double[] weights;

  private Quadrature(double[] nodes, double[] weights) {
    this.nodes = nodes;
    this.weights = weights;
  }

  /** Panels of equal width from low to high. */
  static Quadrature between(double low, double high, int panels) {
    double[] edges = new double[panels + 1];
    for (int edge = 0; edge <= panels; edge++) {
      edges[edge] = low + (high - low) * edge / panels;
    }
    return panels(edges);
  }

  /** One panel between each two neighbours of an ascending row. */
  static Quadrature panels(double... edges) {
    int panels = edges.length - 1;
    double[] nodes = new double[panels * NODES];
    double[] weights = new double[panels * NODES];
    for (int panel = 0; panel < panels; panel++) {
      double centre = (edges[panel] + edges[panel + 1]) / 2;
      double half = (edges[panel + 1] - edges[panel]) / 2;
      for (int node = 0; node < NODES; node++) {
        nodes[panel * NODES + node] = centre + half * UNIT_NODES[node];
        weights[panel * NODES + node] = half * UNIT_WEIGHTS[node];
      }
    }
    return new Quadrature(nodes, weights);
  }

  double integral(DoubleUnaryOperator function) {
    return Arrays.stream(weighted(function)).sum();
  }

  /** The function at each node times the node's weight, in the order of {@link #nodes}. */
  double[] weighted(DoubleUnaryOperator function) {
    double[] terms = new double[nodes.length];
    for (int node = 0; node < nodes.length; node++) {
      terms[node] = weights[node] * function.applyAsDouble(nodes[node]);
    }
    return terms;
  }

  /** Ascending. */
  double[] nodes() {
    return nodes.clone();
  }
}
