package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/**
 * From raw items {@code [n, Di]} to {@code e [n, embedding]}: encoding, one rectified layer, one
 * linear layer.
 */
final class ItemTower {
  private final Encoding encoding;
  private final Dense first;
  private final Dense second;
  private final List<LayerNorm> norm;

  ItemTower(
      String name,
      NetworkSchema schema,
      NetworkConfig config,
      Normalisation normalisation,
      boolean normalised) {
    encoding = new Encoding(name, schema.item(), normalisation.item());
    first = Dense.hidden(name + ".first", encoding.width(), config.hidden());
    second = Dense.hidden(name + ".second", config.hidden(), config.embedding());
    norm = normalised ? List.of(new LayerNorm(first.name() + ".norm", first.out())) : List.of();
  }

  void declare(ParameterLayout.Builder layout) {
    encoding.declare(layout);
    first.declare(layout);
    norm.forEach(layer -> layer.declare(layout));
    second.declare(layout);
  }

  Tensor apply(Weights weights, Tensor items) {
    Tensor hidden = first.apply(weights, encoding.apply(weights, items));
    Tensor normed = norm.isEmpty() ? hidden : norm.get(0).apply(weights, hidden);
    return second.apply(weights, normed.relu());
  }
}
