package io.bellwether.trainer.export;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;
import java.util.SortedMap;

/**
 * A ranking that somebody wrote down: {@code logit = (Σ weight · item column + Σ weight · <context
 * vector, item vector>) / temperature}, over raw columns.
 *
 * <p>As an exported policy it serves, is logged and is compared like a trained one; its values are
 * zeros.
 *
 * @param itemWeights one weight per item column
 * @param products inner products of a vector in the context with one in the item
 * @param temperature softness of the ranking, above 0
 */
@SuppressWarnings("ArrayRecordComponent")
public record LinearRanking(float[] itemWeights, List<Product> products, double temperature) {

  /**
   * A weighted inner product of {@code size} columns from {@code contextColumn} and from {@code
   * itemColumn} on.
   */
  public record Product(float weight, int contextColumn, int itemColumn, int size) {}

  public LinearRanking {
    products = List.copyOf(products);
    if (!(temperature > 0)) {
      throw new IllegalArgumentException("temperature must be above 0, not " + temperature);
    }
  }

  public byte[] export(NetworkSchema schema, SortedMap<String, String> metadata) {
    if (itemWeights.length != schema.item().size()) {
      throw new IllegalArgumentException(
          itemWeights.length + " weights for " + schema.item().size() + " item columns");
    }
    PolicyGraph graph = new PolicyGraph(schema);
    Tensor weights =
        graph.graph().constant("item.weight", itemWeights, Shape.of(itemWeights.length, 1));
    Tensor score = graph.items().matMul(weights);
    for (Product product : products) {
      score = score.add(inner(product, graph));
    }
    Tensor logits = score.div(graph.graph().constant((float) temperature));
    Tensor flat = logits.reshape(Shape.of(logits.shape().dimension(0)));
    return graph.toModel(flat, graph.noValues(), metadata);
  }

  private static Tensor inner(Product product, PolicyGraph graph) {
    Tensor context =
        graph
            .states()
            .context()
            .slice(1, product.contextColumn, product.contextColumn + product.size);
    Tensor item = graph.items().slice(1, product.itemColumn, product.itemColumn + product.size);
    return context.gatherRows(graph.request()).mul(item).sum(-1).mul(product.weight);
  }
}
