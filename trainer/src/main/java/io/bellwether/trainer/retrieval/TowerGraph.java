package io.bellwether.trainer.retrieval;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.RetrievalNetwork;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
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

  static final String ITEMS = "items";
  static final String TEACHER = "teacher";

  private final NetworkSchema schema;
  private final RetrievalNetwork network;

  TowerGraph(NetworkSchema schema, RetrievalNetwork network) {
    this.schema = schema;
    this.network = network;
  }

  LossDescent training(OrtEnvironment environment, int states, int perState, float deviation) {
    return LossDescent.open(
        environment,
        network.layout(),
        (graph, weights) -> {
          Tensor items = floats(graph, ITEMS, (long) states * perState, schema.item().size());
          Tensor teacher = floats(graph, TEACHER, states, perState);
          Tensor query = network.query(weights, StateRows.input(graph, schema, states));
          Tensor embedding = network.embedding(weights, items);
          Tensor score =
              embedding.reshape(states, perState, embedding.shape().width()).innerProducts(query);
          return loss(centred(score, deviation), centred(teacher, deviation));
        });
  }

  private static Tensor centred(Tensor scores, float deviation) {
    return scores.sub(scores.mean(1)).mul(1 / deviation);
  }

  private static Tensor loss(Tensor score, Tensor teacher) {
    Tensor fit = score.sub(teacher).square().mean();
    Tensor entropy = teacher.softmax().mul(score.logSoftmax()).sum(1).mean();
    return fit.sub(entropy);
  }

  /** The towers as they are served. */
  byte[] export(Parameters parameters, SortedMap<String, String> metadata) {
    Graph graph = new Graph();
    Weights weights = Weights.constant(graph, parameters);
    Tensor items = floats(graph, ITEMS, graph.symbol("N"), schema.item().size());
    graph.output(
        RetrievalTowers.QUERY,
        network.query(weights, StateRows.input(graph, schema, graph.symbol("R"))));
    graph.output(RetrievalTowers.EMBEDDING, network.embedding(weights, items));
    return graph.toModel("retrieval", metadata);
  }

  private static Tensor floats(Graph graph, String name, long... shape) {
    return graph.input(name, ElementType.FLOAT, Shape.of(shape));
  }
}
