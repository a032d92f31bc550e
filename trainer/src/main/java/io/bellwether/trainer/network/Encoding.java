package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The first layer over the columns of a block: scaled numbers and flags, then the embedding of each
 * category.
 *
 * <p>Scaled values are held within {@code ±LARGEST}, so that one absurd input cannot drown all
 * others.
 */
record Encoding(String name, List<Column> columns, ColumnScaling scaling) {
  static final float LARGEST = 10;

  /** Categories start close together: what tells them apart is learned. */
  private static final double FIRST_EMBEDDING = 0.1;

  Encoding {
    if (columns.size() != scaling.shift().length) {
      throw new IllegalArgumentException(
          name + " has " + columns.size() + " columns and a scaling of " + scaling.shift().length);
    }
  }

  int width() {
    return columns.size() + columns.stream().mapToInt(Column::embeddingWidth).sum();
  }

  void declare(ParameterLayout.Builder layout) {
    for (Column column : columns) {
      if (column instanceof Column.Category category) {
        layout.uniform(
            table(category),
            Shape.of(category.cardinality(), category.embeddingWidth()),
            FIRST_EMBEDDING);
      }
    }
  }

  /** From raw rows {@code [n, columns]} to {@code [n, width]}. */
  Tensor apply(Weights weights, Tensor rows) {
    Graph graph = rows.graph();
    Shape width = Shape.of(columns.size());
    List<Tensor> parts = new ArrayList<>();
    parts.add(
        rows.sub(graph.constant(scaling.shift(), width))
            .mul(graph.constant(scaling.scale(), width))
            .clip(-LARGEST, LARGEST));
    for (int column = 0; column < columns.size(); column++) {
      if (columns.get(column) instanceof Column.Category category) {
        Tensor raw = rows.slice(1, column, column + 1).reshape(rows.shape().dimension(0));
        parts.add(weights.get(table(category)).gatherRows(ids(raw, category)));
      }
    }
    return Tensor.concat(1, parts);
  }

  private static Tensor ids(Tensor raw, Column.Category category) {
    Graph graph = raw.graph();
    Tensor zero = graph.constant(0f);
    Tensor outside =
        raw.isLessThan(zero).or(graph.constant(category.cardinality() - 0.5f).isLessThan(raw));
    return outside.select(zero, raw).cast(ElementType.INT64);
  }

  private String table(Column.Category category) {
    return name + "." + category.name() + ".table";
  }
}
