package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import java.util.stream.Stream;

/**
 * From raw items {@code [n, Di]} to {@code e [n, embedding]}: encoding, one rectified layer, which
 * the state may condition, one linear layer.
 */
final class ItemTower {
  private final Encoding encoding;
  private final Dense first;
  private final Dense second;
  private final List<LayerNorm> norm;
  private final List<Conditioning> conditioning;

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
    conditioning =
        config.conditioned()
            ? List.of(Conditioning.of(name + ".conditioning", config.hidden(), config.hidden()))
            : List.of();
  }

  void declare(ParameterLayout.Builder layout) {
    encoding.declare(layout);
    first.declare(layout);
    norm.forEach(layer -> layer.declare(layout));
    conditioning.forEach(layer -> layer.declare(layout));
    second.declare(layout);
  }

  /** Names of the dense layers through which a state conditions items. */
  List<String> conditioningLayers() {
    return conditioning.stream()
        .flatMap(layer -> Stream.of(layer.scale().name(), layer.shift().name()))
        .toList();
  }

  /**
   * Items in their states.
   *
   * @param states {@code h [r, hidden]}
   */
  Tensor apply(Weights weights, Tensor items, Tensor states, Candidates candidates) {
    Tensor hidden = hidden(weights, items);
    for (Conditioning layer : conditioning) {
      hidden = layer.apply(weights, hidden, states, candidates);
    }
    return second.apply(weights, hidden.relu());
  }

  /** Items by themselves, of a tower that no state conditions. */
  Tensor apply(Weights weights, Tensor items) {
    return second.apply(weights, hidden(weights, items).relu());
  }

  private Tensor hidden(Weights weights, Tensor items) {
    Tensor hidden = first.apply(weights, encoding.apply(weights, items));
    return norm.isEmpty() ? hidden : norm.get(0).apply(weights, hidden);
  }
}
