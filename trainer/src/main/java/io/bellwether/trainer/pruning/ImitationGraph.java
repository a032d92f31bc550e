package io.bellwether.trainer.pruning;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Actor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.ParameterLayout;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
import java.util.List;

/**
 * The step in which an actor learns another's distribution: the mean over states of {@code
 * KL(softmax(t / τ) ‖ softmax(z / τ))}, where {@code t} are the teacher's scores and {@code z} its
 * own. Its weights may have fewer units than the actor was described with.
 */
final class ImitationGraph {

  static final String CONTEXT = "context";
  static final String HISTORY = "history";
  static final String ITEMS = "items";
  static final String TEACHER = "teacher";

  /** Added to the scores of a state's slots: 0 for a candidate, {@link #NONE} for an empty one. */
  static final String EMPTY = "empty";

  static final float NONE = -1e9f;

  /** 1 for weights that take part, 0 for others; only where units are masked. */
  static final String MASK = "mask";

  static final String LOSS = "loss";
  static final String WEIGHTS = "weights";
  static final String RATE = "rate";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";

  private final NetworkSchema schema;
  private final Actor actor;
  private final int states;
  private final int slots;
  private final float temperature;

  ImitationGraph(NetworkSchema schema, Actor actor, int states, int slots, double temperature) {
    this.schema = schema;
    this.actor = actor;
    this.states = states;
    this.slots = slots;
    this.temperature = (float) temperature;
  }

  TrainingSession open(OrtEnvironment environment, ParameterLayout layout, boolean masked) {
    Graph graph = new Graph();
    Tensor flat = floats(graph, WEIGHTS, layout.size());
    Weights trained = Weights.trained(layout, flat);
    Weights used = trained;
    if (masked) {
      Weights mask = Weights.fixed(layout, floats(graph, MASK, layout.size()));
      used = name -> trained.get(name).mul(mask.get(name));
    }
    Tensor empty = floats(graph, EMPTY, states, slots);
    Tensor items = floats(graph, ITEMS, (long) states * slots, schema.item().size());
    Tensor teacher = distribution(floats(graph, TEACHER, states, slots), empty);
    Tensor own =
        distribution(
            actor
                .logits(used, states(graph), items, new Candidates.Padded(slots))
                .reshape(states, slots),
            empty);
    Tensor loss = teacher.exp().mul(teacher.sub(own)).sum(1).mean();
    graph.output(LOSS, loss);
    return new TrainingSession(environment, graph, minimised(graph, layout, flat, trained, loss));
  }

  private Tensor distribution(Tensor scores, Tensor empty) {
    return scores.mul(1 / temperature).add(empty).logSoftmax();
  }

  private StateRows states(Graph graph) {
    return new StateRows(
        floats(graph, CONTEXT, states, schema.context().size()),
        schema.hasHistory()
            ? floats(graph, HISTORY, states, schema.historyLength(), schema.history().size())
            : null);
  }

  private static List<TrainingSession.State> minimised(
      Graph graph, ParameterLayout layout, Tensor flat, Weights trained, Tensor loss) {
    List<Tensor> variables = layout.names().stream().map(trained::get).toList();
    List<Tensor> gradient =
        Gradients.of(loss, variables).stream()
            .map(each -> each.reshape(each.shape().size()))
            .toList();
    Tensor mean = floats(graph, "mean", layout.size());
    Tensor square = floats(graph, "square", layout.size());
    Adam.Schedule schedule =
        new Adam.Schedule(
            floats(graph, RATE), floats(graph, MEAN_CORRECTION), floats(graph, SQUARE_CORRECTION));
    Adam.State next =
        Adam.DEFAULT
            .step(new Adam.State(flat, mean, square), Tensor.concat(0, gradient), schedule)
            .state();
    return List.of(
        new TrainingSession.State(WEIGHTS, flat, next.parameters()),
        new TrainingSession.State("mean", mean, next.mean()),
        new TrainingSession.State("square", square, next.square()));
  }

  private static Tensor floats(Graph graph, String name, long... shape) {
    return graph.input(name, ElementType.FLOAT, Shape.of(shape));
  }
}
