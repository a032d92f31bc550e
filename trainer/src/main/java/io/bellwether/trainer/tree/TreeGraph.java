package io.bellwether.trainer.tree;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.TreeNetwork;
import io.bellwether.trainer.network.Weights;
import java.util.SortedMap;

/**
 * The graphs of a tree policy: the step that trains it, and what is computed once per state when it
 * serves.
 *
 * <p>A step takes states, and for each the children of the nodes on the path to the item that was
 * chosen. The loss is {@code mean(-w Σ_l log π(child_l | node_l, s) + e Σ_l |π(· | node_l, s) -
 * 1/n_l|²)}, where {@code n_l} is how many children a node has.
 */
final class TreeGraph {

  /** What children are like, {@code [r * depth * arity, width]}. */
  static final String CONTENTS = "contents";

  /** Rows of the table, and whether they are the children's own. */
  static final String ROWS = "rows";

  static final String OWN = "own";

  /** 0 for a child with items, {@link #NONE} for an empty slot: {@code [r * depth, arity]}. */
  static final String EMPTY = "empty";

  static final float NONE = -1e9f;

  /** Which child was chosen, {@code [r * depth, 1]}. */
  static final String CHOSEN = "chosen";

  static final String ROW_WEIGHTS = "rowWeights";

  static final String QUERY = "query";
  static final String SHARE = "share";

  private final NetworkSchema schema;
  private final TreeNetwork network;

  TreeGraph(NetworkSchema schema, TreeNetwork network) {
    this.schema = schema;
    this.network = network;
  }

  LossDescent training(
      OrtEnvironment environment, TreePlan plan, int depth, int arity, int contentWidth) {
    return LossDescent.open(
        environment,
        network.layout(),
        (graph, weights) -> loss(graph, weights, plan, depth, arity, contentWidth));
  }

  private Tensor loss(
      Graph graph, Weights weights, TreePlan plan, int depth, int arity, int contentWidth) {
    int states = plan.batchSize();
    long choices = (long) states * depth;
    long children = choices * arity;
    Tensor scores =
        network.scores(
            weights,
            network.encode(weights, StateRows.input(graph, schema, states)),
            floats(graph, CONTENTS, children, contentWidth),
            graph.input(ROWS, ElementType.INT64, Shape.of(children)),
            floats(graph, OWN, children, 1),
            new Candidates.Padded((long) depth * arity));
    Tensor empty = floats(graph, EMPTY, choices, arity);
    Tensor logs = scores.reshape(choices, arity).add(empty).logSoftmax();
    Tensor path =
        logs.pick(graph.input(CHOSEN, ElementType.INT64, Shape.of(choices, 1)))
            .reshape(states, depth)
            .sum(1);
    Tensor loss = path.mul(floats(graph, ROW_WEIGHTS, states, 1)).mean().negate();
    if (plan.evenness() == 0) {
      return loss;
    }
    Tensor distance = logs.exp().sub(empty.softmax()).square().sum();
    return loss.add(distance.mul((float) (plan.evenness() / states)));
  }

  /** What is computed once per state. */
  byte[] export(Parameters parameters, SortedMap<String, String> metadata) {
    Graph graph = new Graph();
    Weights weights = Weights.constant(graph, parameters);
    Tensor encoded = network.encode(weights, StateRows.input(graph, schema, graph.symbol("R")));
    graph.output(QUERY, network.query(weights, encoded));
    graph.output(SHARE, network.stateShare(weights, encoded));
    return graph.toModel("tree", metadata);
  }

  private static Tensor floats(Graph graph, String name, long... shape) {
    return graph.input(name, ElementType.FLOAT, Shape.of(shape));
  }
}
