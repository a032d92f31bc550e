package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Raw states in a graph: {@code context [r, Dc]}, and {@code history [r, L, Dh]} where the schema
 * has one.
 */
public record StateRows(Tensor context, @Nullable Tensor history) {
  /** Names of a graph's inputs with states. */
  public static final String CONTEXT = "context";

  public static final String HISTORY = "history";

  /**
   * States as inputs of a graph.
   *
   * @param rows how many, or a symbol of the graph
   */
  public static StateRows input(Graph graph, NetworkSchema schema, long rows) {
    return new StateRows(
        graph.input(CONTEXT, ElementType.FLOAT, Shape.of(rows, schema.context().size())),
        schema.hasHistory()
            ? graph.input(
                HISTORY,
                ElementType.FLOAT,
                Shape.of(rows, schema.historyLength(), schema.history().size()))
            : null);
  }
}
