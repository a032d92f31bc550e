package io.bellwether.trainer.tree;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.TreeNetwork;
import io.bellwether.trainer.network.Weights;
import java.util.List;
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

  static final String CONTEXT = "context";
  static final String HISTORY = "history";

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
  static final String LOSS = "loss";
  static final String WEIGHTS = "weights";
  static final String RATE = "rate";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";

  static final String QUERY = "query";
  static final String SHARE = "share";

  private final NetworkSchema schema;
  private final TreeNetwork network;

  TreeGraph(NetworkSchema schema, TreeNetwork network) {
    this.schema = schema;
    this.network = network;
  }

  TrainingSession training(
      OrtEnvironment environment, TreePlan plan, int depth, int arity, int contentWidth) {
    int states = plan.batchSize();
    Graph graph = new Graph();
    long choices = (long) states * depth;
    long children = choices * arity;
    Tensor weights = floats(graph, WEIGHTS, network.layout().size());
    Weights trained = Weights.trained(network.layout(), weights);
    Tensor scores =
        network.scores(
            trained,
            network.encode(trained, states(graph, states)),
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
    if (plan.evenness() > 0) {
      Tensor even = empty.softmax();
      Tensor distance = logs.exp().sub(even).square().sum();
      loss = loss.add(distance.mul((float) (plan.evenness() / states)));
    }
    graph.output(LOSS, loss);
    return new TrainingSession(environment, graph, minimised(graph, weights, trained, loss));
  }

  private List<TrainingSession.State> minimised(
      Graph graph, Tensor weights, Weights trained, Tensor loss) {
    List<Tensor> variables = network.layout().names().stream().map(trained::get).toList();
    List<Tensor> flat =
        Gradients.of(loss, variables).stream()
            .map(gradient -> gradient.reshape(gradient.shape().size()))
            .toList();
    Tensor mean = floats(graph, "mean", network.layout().size());
    Tensor square = floats(graph, "square", network.layout().size());
    Adam.Schedule schedule =
        new Adam.Schedule(
            floats(graph, RATE), floats(graph, MEAN_CORRECTION), floats(graph, SQUARE_CORRECTION));
    Adam.State next =
        Adam.DEFAULT
            .step(new Adam.State(weights, mean, square), Tensor.concat(0, flat), schedule)
            .state();
    return List.of(
        new TrainingSession.State(WEIGHTS, weights, next.parameters()),
        new TrainingSession.State("mean", mean, next.mean()),
        new TrainingSession.State("square", square, next.square()));
  }

  /** What is computed once per state. */
  byte[] export(Parameters parameters, SortedMap<String, String> metadata) {
    Graph graph = new Graph();
    Weights weights = Weights.constant(graph, parameters);
    Tensor encoded = network.encode(weights, states(graph, graph.symbol("R")));
    graph.output(QUERY, network.query(weights, encoded));
    graph.output(SHARE, network.stateShare(weights, encoded));
    return graph.toModel("tree", metadata);
  }

  private StateRows states(Graph graph, long count) {
    return new StateRows(
        floats(graph, CONTEXT, count, schema.context().size()),
        schema.hasHistory()
            ? floats(graph, HISTORY, count, schema.historyLength(), schema.history().size())
            : null);
  }

  private static Tensor floats(Graph graph, String name, long... shape) {
    return graph.input(name, ElementType.FLOAT, Shape.of(shape));
  }
}
