package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;

/**
 * A layer of items scaled and shifted by the state that they are met in: {@code u ∘ (1 + G h) + B
 * h}. It starts close to {@code u}.
 *
 * <p>Source: Perez et al., "FiLM: Visual Reasoning with a General Conditioning Layer", 2018.
 */
record Conditioning(Dense scale, Dense shift) {

  static Conditioning of(String name, int states, int units) {
    return new Conditioning(
        Dense.output(name + ".scale", states, units), Dense.output(name + ".shift", states, units));
  }

  void declare(ParameterLayout.Builder layout) {
    scale.declare(layout);
    shift.declare(layout);
  }

  /** From items {@code u [n, units]} in states {@code h [r, states]} to {@code [n, units]}. */
  Tensor apply(Weights weights, Tensor items, Tensor states, Candidates candidates) {
    Tensor factor = scale.apply(weights, states).add(1);
    Tensor scaled = candidates.combine(items, factor, Tensor::mul);
    return candidates.combine(scaled, shift.apply(weights, states), Tensor::add);
  }
}
