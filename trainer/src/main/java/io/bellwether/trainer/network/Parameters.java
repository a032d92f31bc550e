package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The weights of one network: a layout and the flat vector it describes. The vector is not copied.
 */
@SuppressWarnings("ArrayRecordComponent")
public record Parameters(ParameterLayout layout, float[] values) {

  public Parameters {
    if (values.length != layout.size()) {
      throw new IllegalArgumentException(
          values.length + " values for a network of " + layout.size());
    }
  }

  /** A copy of one weight, rows one after the other. */
  public float[] get(String name) {
    int from = layout.from(name);
    return Arrays.copyOfRange(values, from, from + (int) layout.shape(name).size());
  }

  /** These weights with one of them replaced. */
  public Parameters with(String name, float[] weight) {
    if (weight.length != layout.shape(name).size()) {
      throw new IllegalArgumentException(
          name + " has shape " + layout.shape(name) + ", not " + weight.length);
    }
    float[] changed = values.clone();
    System.arraycopy(weight, 0, changed, layout.from(name), weight.length);
    return new Parameters(layout, changed);
  }

  Map<String, Tensor> toConstants(Graph graph) {
    Map<String, Tensor> constants = new LinkedHashMap<>();
    for (String name : layout.names()) {
      Shape shape = layout.shape(name);
      constants.put(name, graph.constant(name, get(name), shape));
    }
    return constants;
  }
}
