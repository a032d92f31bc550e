package io.bellwether.trainer.export;

import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.StateRows;
import java.util.SortedMap;

/**
 * The inputs and outputs that every exported policy has, whatever computes them.
 *
 * <p>Inputs: float {@code context [R, Dc]}, {@code history [R, L, Dh]} (only where the schema has a
 * history), {@code items [N, Di]}, and int64 {@code request [N]}, which names each item's row of
 * the context. Outputs: {@code logits [N]} and {@code values [N, S]}, one column per signal in its
 * own unit.
 */
final class PolicyGraph {
  private final Graph graph = new Graph();
  private final NetworkSchema schema;
  private final StateRows states;
  private final Tensor items;
  private final Tensor request;

  PolicyGraph(NetworkSchema schema) {
    this.schema = schema;
    long requests = graph.symbol("R");
    long candidates = graph.symbol("N");
    this.states = StateRows.input(graph, schema, requests);
    this.items =
        graph.input("items", ElementType.FLOAT, Shape.of(candidates, schema.item().size()));
    this.request = graph.input("request", ElementType.INT64, Shape.of(candidates));
  }

  Graph graph() {
    return graph;
  }

  StateRows states() {
    return states;
  }

  Tensor items() {
    return items;
  }

  Tensor request() {
    return request;
  }

  /** Values of a policy that predicts nothing: a zero per candidate and signal. */
  Tensor noValues() {
    int signals = schema.signals().size();
    return zeros().mul(graph.constant(new float[signals], Shape.of(1, signals)));
  }

  /** Logits of a policy that prefers nothing: a zero per candidate. */
  Tensor noLogits() {
    return zeros().reshape(Shape.of(items.shape().dimension(0)));
  }

  /** Nothing is less than itself, whatever the input holds: {@code [N, 1]} zeros. */
  private Tensor zeros() {
    Tensor first = items.slice(1, 0, 1);
    return first.isLessThan(first).cast(ElementType.FLOAT);
  }

  byte[] toModel(Tensor logits, Tensor values, SortedMap<String, String> metadata) {
    graph.output("logits", logits);
    graph.output("values", values);
    return graph.toModel("policy", metadata);
  }
}
