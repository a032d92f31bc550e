package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/**
 * Where a state meets an item: the hidden layer {@code relu([h', e, h' ∘ e] · W + b)} with {@code
 * h' = W2 h}.
 *
 * <p>{@code W} is kept in two parts, so that the state's share is computed once per state and not
 * once per candidate.
 */
final class Mixing {
  private final Dense gate;
  private final Dense stateShare;
  private final String itemShare;
  private final int embedding;
  private final int out;
  private final List<LayerNorm> norm;

  Mixing(String name, NetworkConfig config, boolean normalised) {
    embedding = config.embedding();
    out = config.hidden();
    gate = Dense.hidden(name + ".gate", config.hidden(), embedding);
    stateShare = new Dense(name + ".state", embedding, out, Math.sqrt(1.0 / 3));
    itemShare = name + ".item.weight";
    norm = normalised ? List.of(new LayerNorm(name + ".norm", out)) : List.of();
  }

  void declare(ParameterLayout.Builder layout) {
    gate.declare(layout);
    stateShare.declare(layout);
    layout.uniform(itemShare, Shape.of(2L * embedding, out), Math.sqrt(6.0 / (3 * embedding)));
    norm.forEach(layer -> layer.declare(layout));
  }

  /**
   * From states {@code h [r, hidden]} and items {@code e [n, embedding]} to {@code [n, hidden]}.
   */
  Tensor apply(Weights weights, Tensor states, Tensor items, Candidates candidates) {
    Tensor gated = gate.apply(weights, states);
    Tensor product = candidates.combine(items, gated, Tensor::mul);
    Tensor perItem = Tensor.concat(1, List.of(items, product)).matMul(weights.get(itemShare));
    Tensor mixed = candidates.combine(perItem, stateShare.apply(weights, gated), Tensor::add);
    return (norm.isEmpty() ? mixed : norm.get(0).apply(weights, mixed)).relu();
  }
}
