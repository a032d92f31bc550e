package io.bellwether.loadtest.learning.speed;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * A plain network of two hidden layers with rectifiers: state features in, one number per head out.
 * Its weights lie in one vector, layer by layer, each {@code [in, out]} and then its bias.
 */
record HeadNetwork(int features, int hidden, int heads) {

  private record Layer(int in, int out) {
    int size() {
      return in * out + out;
    }
  }

  private List<Layer> layers() {
    return List.of(
        new Layer(features, hidden), new Layer(hidden, hidden), new Layer(hidden, heads));
  }

  /** Number of weights. */
  int size() {
    return layers().stream().mapToInt(Layer::size).sum();
  }

  /**
   * First weights: uniform with variance {@code 2 / in}, biases 0.
   *
   * @param uniform a number in [0, 1) by position
   */
  float[] initial(IntToDoubleFunction uniform) {
    float[] values = new float[size()];
    int from = 0;
    for (Layer layer : layers()) {
      double bound = Math.sqrt(6.0 / layer.in);
      for (int i = from; i < from + layer.in * layer.out; i++) {
        values[i] = (float) (bound * (2 * uniform.applyAsDouble(i) - 1));
      }
      from += layer.size();
    }
    return values;
  }

  /** The weights and biases in the order of the vector, of which this network begins at a place. */
  List<Tensor> weights(Tensor vector, int begin) {
    List<Tensor> weights = new ArrayList<>();
    int from = begin;
    for (Layer layer : layers()) {
      weights.add(vector.graph().part(vector, from, Shape.of(layer.in, layer.out)));
      weights.add(
          vector.graph().part(vector, from + (long) layer.in * layer.out, Shape.of(layer.out)));
      from += layer.size();
    }
    return weights;
  }

  /** From {@code [n, features]} to {@code [n, heads]}. */
  static Tensor apply(List<Tensor> weights, Tensor rows) {
    Tensor first = rows.affine(weights.get(0), weights.get(1)).relu();
    Tensor second = first.affine(weights.get(2), weights.get(3)).relu();
    return second.affine(weights.get(4), weights.get(5));
  }

  /** Floating point operations of the matrix products of one evaluation. */
  double forwardOperations(int rows) {
    return layers().stream().mapToDouble(layer -> 2.0 * rows * layer.in * layer.out).sum();
  }

  /** The same for the gradient by all weights; none is asked for by the states. */
  double backwardOperations(int rows) {
    return 2 * forwardOperations(rows) - 2.0 * rows * features * hidden;
  }
}
