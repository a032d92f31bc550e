package io.bellwether.trainer.pruning;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Actor;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.ParameterLayout;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;

/**
 * The step in which an actor learns another's distribution: the mean over states of {@code
 * KL(softmax(t / τ) ‖ softmax(z / τ))}, where {@code t} are the teacher's scores and {@code z} its
 * own. Its weights may have fewer units than the actor was described with.
 */
final class ImitationGraph {

  static final String ITEMS = "items";
  static final String TEACHER = "teacher";

  /** Added to the scores of a state's slots: 0 for a candidate, {@link #NONE} for an empty one. */
  static final String EMPTY = "empty";

  static final float NONE = -1e9f;

  /** 1 for weights that take part, 0 for others; only where units are masked. */
  static final String MASK = "mask";

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

  LossDescent open(OrtEnvironment environment, ParameterLayout layout, boolean masked) {
    return LossDescent.open(
        environment,
        layout,
        (graph, weights) -> loss(graph, masked ? masked(graph, layout, weights) : weights));
  }

  private static Weights masked(Graph graph, ParameterLayout layout, Weights weights) {
    Weights mask = Weights.fixed(layout, floats(graph, MASK, layout.size()));
    return name -> weights.get(name).mul(mask.get(name));
  }

  private Tensor loss(Graph graph, Weights weights) {
    Tensor empty = floats(graph, EMPTY, states, slots);
    Tensor items = floats(graph, ITEMS, (long) states * slots, schema.item().size());
    Tensor teacher = distribution(floats(graph, TEACHER, states, slots), empty);
    Tensor logits =
        actor.logits(
            weights, StateRows.input(graph, schema, states), items, new Candidates.Padded(slots));
    Tensor own = distribution(logits.reshape(states, slots), empty);
    return teacher.exp().mul(teacher.sub(own)).sum(1).mean();
  }

  private Tensor distribution(Tensor scores, Tensor empty) {
    return scores.mul(1 / temperature).add(empty).logSoftmax();
  }

  private static Tensor floats(Graph graph, String name, long... shape) {
    return graph.input(name, ElementType.FLOAT, Shape.of(shape));
  }
}
