package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Tensor;
import java.util.Map;

/**
 * Where a network finds its weights by name: slices of a trained vector, or constants of an
 * exported graph.
 */
public interface Weights {

  Tensor get(String name);

  /** Weights as slices of one flat tensor, each a variable of the differentiation. */
  static Weights trained(ParameterLayout layout, Tensor flat) {
    Map<String, Tensor> variables = layout.split(flat, true);
    return name -> known(variables, name);
  }

  /** Weights as slices of one flat tensor that nothing differentiates by. */
  static Weights fixed(ParameterLayout layout, Tensor flat) {
    Map<String, Tensor> slices = layout.split(flat, false);
    return name -> known(slices, name);
  }

  /** Weights as constants of the graph, under their own names. */
  static Weights constant(Graph graph, Parameters parameters) {
    Map<String, Tensor> constants = parameters.toConstants(graph);
    return name -> known(constants, name);
  }

  private static Tensor known(Map<String, Tensor> weights, String name) {
    Tensor weight = weights.get(name);
    if (weight == null) {
      throw new IllegalArgumentException("no weight is called " + name);
    }
    return weight;
  }
}
