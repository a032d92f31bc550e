package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * Rows brought to mean 0 and deviation 1, then scaled and shifted (Ba, Kiros and Hinton, 2016), in
 * plain operators.
 */
record LayerNorm(String name, int width) {
  private static final float EPSILON = 1e-5f;

  void declare(ParameterLayout.Builder layout) {
    layout.constant(name + ".scale", Shape.of(width), 1);
    layout.constant(name + ".shift", Shape.of(width), 0);
  }

  Tensor apply(Weights weights, Tensor rows) {
    Tensor centred = rows.sub(rows.mean(-1));
    Tensor deviation = centred.square().mean(-1).add(EPSILON).sqrt();
    return centred
        .div(deviation)
        .mul(weights.get(name + ".scale"))
        .add(weights.get(name + ".shift"));
  }
}
