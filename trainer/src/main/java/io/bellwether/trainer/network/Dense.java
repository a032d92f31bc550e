package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * One dense layer {@code x [n, in] · weight [in, out] + bias [out]}.
 *
 * @param gain 1 for a layer in front of a rectifier (He and others, 2015: variance {@code 2 / in});
 *     smaller for an output that should start near 0
 */
record Dense(String name, int in, int out, double gain) {

  static Dense hidden(String name, int in, int out) {
    return new Dense(name, in, out, 1);
  }

  /**
   * An output layer: its first answers are close to its bias, so that learning starts from an even
   * policy.
   */
  static Dense output(String name, int in, int out) {
    return new Dense(name, in, out, 0.1);
  }

  void declare(ParameterLayout.Builder layout) {
    layout.uniform(name + ".weight", Shape.of(in, out), gain * Math.sqrt(6.0 / in));
    layout.constant(name + ".bias", Shape.of(out), 0);
  }

  Tensor apply(Weights weights, Tensor rows) {
    return rows.affine(weights.get(name + ".weight"), weights.get(name + ".bias"));
  }
}
