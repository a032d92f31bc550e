package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * From raw states to {@code h [r, hidden]}: encoded context beside the encoded history, then two
 * rectified layers.
 */
final class StateTower {
  private final Encoding context;
  private final @Nullable HistoryEncoder history;
  private final List<Dense> layers;
  private final List<LayerNorm> norms;

  /** With {@code normalised}, a layer norm stands in front of each rectifier. */
  StateTower(
      String name,
      NetworkSchema schema,
      NetworkConfig config,
      Normalisation normalisation,
      boolean normalised) {
    context = new Encoding(name + ".context", schema.context(), normalisation.context());
    history =
        schema.hasHistory()
            ? HistoryEncoder.of(name + ".history", schema, config, normalisation)
            : null;
    int width = context.width() + (history == null ? 0 : history.width());
    layers =
        List.of(
            Dense.hidden(name + ".first", width, config.hidden()),
            Dense.hidden(name + ".second", config.hidden(), config.hidden()));
    norms =
        normalised
            ? layers.stream()
                .map(layer -> new LayerNorm(layer.name() + ".norm", layer.out()))
                .toList()
            : List.of();
  }

  void declare(ParameterLayout.Builder layout) {
    context.declare(layout);
    if (history != null) {
      history.declare(layout);
    }
    layers.forEach(layer -> layer.declare(layout));
    norms.forEach(norm -> norm.declare(layout));
  }

  Tensor apply(Weights weights, StateRows states) {
    Tensor rows = context.apply(weights, states.context());
    if (history != null) {
      Tensor raw = Objects.requireNonNull(states.history(), "this schema has a history");
      rows = Tensor.concat(1, List.of(rows, history.apply(weights, raw)));
    }
    for (int layer = 0; layer < layers.size(); layer++) {
      rows = layers.get(layer).apply(weights, rows);
      rows = (norms.isEmpty() ? rows : norms.get(layer).apply(weights, rows)).relu();
    }
    return rows;
  }
}
