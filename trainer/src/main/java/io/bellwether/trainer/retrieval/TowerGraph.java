package io.bellwether.trainer.retrieval;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.RetrievalNetwork;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
import java.util.List;
import java.util.SortedMap;

/**
 * The graphs of two towers: one that trains them and the one that is served.
 *
 * <p>A step takes {@code states} states with {@code perState} items each and the teacher's scores
 * of them, {@code t}. With {@code t} and the towers' {@code s} centred per state, since a constant
 * of a state changes no order, and in units of the teacher's standard deviation {@code σ}, the loss
 * is {@code mean((s - t)²) - mean over states of Σ softmax(t) · log softmax(s)}: the first term
 * fits all items, the second the best.
 */
final class TowerGraph {

  static final String CONTEXT = "context";
  static final String HISTORY = "history";
  static final String ITEMS = "items";
  static final String TEACHER = "teacher";
  static final String LOSS = "loss";
  static final String WEIGHTS = "weights";
  static final String RATE = "rate";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";

  private final NetworkSchema schema;
  private final RetrievalNetwork network;

  TowerGraph(NetworkSchema schema, RetrievalNetwork network) {
    this.schema = schema;
    this.network = network;
  }

  TrainingSession training(OrtEnvironment environment, int states, int perState, float deviation) {
    Graph graph = new Graph();
    Tensor weights = floats(graph, WEIGHTS, network.layout().size());
    Tensor items = floats(graph, ITEMS, (long) states * perState, schema.item().size());
    Tensor teacher = floats(graph, TEACHER, states, perState);
    Weights trained = Weights.trained(network.layout(), weights);
    Tensor query = network.query(trained, states(graph, states));
    Tensor embedding = network.embedding(trained, items);
    Tensor score =
        embedding.reshape(states, perState, embedding.shape().width()).innerProducts(query);
    Tensor loss = loss(centred(score, deviation), centred(teacher, deviation));
    graph.output(LOSS, loss);
    return new TrainingSession(environment, graph, minimised(graph, weights, trained, loss));
  }

  private static Tensor centred(Tensor scores, float deviation) {
    return scores.sub(scores.mean(1)).mul(1 / deviation);
  }

  private static Tensor loss(Tensor score, Tensor teacher) {
    Tensor fit = score.sub(teacher).square().mean();
    Tensor entropy = teacher.softmax().mul(score.logSoftmax()).sum(1).mean();
    return fit.sub(entropy);
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

  /** The towers as they are served. */
  byte[] export(Parameters parameters, SortedMap<String, String> metadata) {
    Graph graph = new Graph();
    Weights weights = Weights.constant(graph, parameters);
    Tensor items = floats(graph, ITEMS, graph.symbol("N"), schema.item().size());
    graph.output(RetrievalTowers.QUERY, network.query(weights, states(graph, graph.symbol("R"))));
    graph.output(RetrievalTowers.EMBEDDING, network.embedding(weights, items));
    return graph.toModel("retrieval", metadata);
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
