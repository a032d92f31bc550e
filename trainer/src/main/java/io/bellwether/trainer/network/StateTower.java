package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import java.util.Objects;

/**
 * From raw states to {@code h [r, hidden]}: encoded context beside the mean of the encoded valid
 * history rows, then two rectified layers. A state without valid history rows has zeros in their
 * place.
 */
final class StateTower {
  private final Encoding context;
  private final Encoding history;
  private final Dense historyRow;
  private final List<Dense> layers;
  private final List<LayerNorm> norms;
  private final boolean hasHistory;

  /** With {@code normalised}, a layer norm stands in front of each rectifier. */
  StateTower(
      String name,
      NetworkSchema schema,
      NetworkConfig config,
      Normalisation normalisation,
      boolean normalised) {
    hasHistory = schema.hasHistory();
    context = new Encoding(name + ".context", schema.context(), normalisation.context());
    history = new Encoding(name + ".history", schema.history(), normalisation.history());
    historyRow = Dense.hidden(name + ".history", Math.max(1, history.width()), config.history());
    int width = context.width() + (hasHistory ? config.history() : 0);
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
    if (hasHistory) {
      history.declare(layout);
      historyRow.declare(layout);
    }
    layers.forEach(layer -> layer.declare(layout));
    norms.forEach(norm -> norm.declare(layout));
  }

  Tensor apply(Weights weights, StateRows states) {
    Tensor rows = context.apply(weights, states.context());
    if (hasHistory) {
      Tensor raw = Objects.requireNonNull(states.history(), "this schema has a history");
      rows = Tensor.concat(1, List.of(rows, pool(weights, raw)));
    }
    for (int layer = 0; layer < layers.size(); layer++) {
      rows = layers.get(layer).apply(weights, rows);
      rows = (norms.isEmpty() ? rows : norms.get(layer).apply(weights, rows)).relu();
    }
    return rows;
  }

  private Tensor pool(Weights weights, Tensor raw) {
    Graph graph = raw.graph();
    long states = raw.shape().dimension(0);
    long length = raw.shape().dimension(1);
    long allRows = states < 0 ? graph.symbol("historyRows") : states * length;
    Tensor flat = raw.reshape(allRows, raw.shape().width());
    Tensor encoded = historyRow.apply(weights, history.apply(weights, flat)).relu();
    long width = encoded.shape().width();
    Tensor valid = raw.slice(2, 0, 1);
    Tensor sum =
        encoded.reshape(Shape.of(states, length, width)).mul(valid).sum(1).reshape(states, width);
    Tensor count = valid.sum(1).reshape(states, 1);
    return sum.div(count.max(graph.constant(1f)));
  }
}
