package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which units of the hidden layers of a network are kept. Immutable; arrays are shared.
 *
 * @param layers of one network
 * @param kept per layer the indices of its units, ascending, at least one
 */
@SuppressWarnings("ArrayRecordComponent")
public record KeptUnits(List<HiddenLayer> layers, List<int[]> kept) {

  public KeptUnits {
    layers = List.copyOf(layers);
    kept = List.copyOf(kept);
    if (layers.size() != kept.size()) {
      throw new IllegalArgumentException(kept.size() + " selections for " + layers.size());
    }
    for (int layer = 0; layer < layers.size(); layer++) {
      checkAscending(layers.get(layer), kept.get(layer));
    }
  }

  private static void checkAscending(HiddenLayer layer, int[] units) {
    boolean ascending = units.length > 0 && units[0] >= 0;
    for (int i = 1; i < units.length; i++) {
      ascending &= units[i] > units[i - 1];
    }
    if (!ascending || units[units.length - 1] >= layer.units()) {
      throw new IllegalArgumentException(
          "%s has %d units, of which %s cannot be kept"
              .formatted(layer.name(), layer.units(), Arrays.toString(units)));
    }
  }

  /** How many units all layers together keep. */
  public int count() {
    return kept.stream().mapToInt(units -> units.length).sum();
  }

  /** 1 for each weight of the flat vector that stays, 0 for each that goes with its unit. */
  public float[] mask(ParameterLayout layout) {
    float[] mask = new float[layout.size()];
    for (String name : layout.names()) {
      int from = layout.from(name);
      for (int index : indices(name, layout.shape(name))) {
        mask[from + index] = 1;
      }
    }
    return mask;
  }

  /**
   * The network without the other units: the same weights by name, of which some are smaller. It
   * computes what the whole network would if the others' weights were 0.
   */
  public Parameters narrowed(Parameters whole) {
    Map<String, Shape> shapes = new HashMap<>();
    for (String name : whole.layout().names()) {
      Shape shape = whole.layout().shape(name);
      for (int axis = 0; axis < shape.rank(); axis++) {
        int[] along = along(name, axis);
        shape = along.length == 0 ? shape : shape.with(axis, along.length);
      }
      shapes.put(name, shape);
    }
    ParameterLayout layout = whole.layout().resized(shapes);
    float[] values = new float[layout.size()];
    for (String name : layout.names()) {
      int to = layout.from(name);
      int from = whole.layout().from(name);
      for (int index : indices(name, whole.layout().shape(name))) {
        values[to++] = whole.values()[from + index];
      }
    }
    return new Parameters(layout, values);
  }

  /** The elements of a weight that stay, in their order. */
  private int[] indices(String weight, Shape shape) {
    int[] indices = {0};
    for (int axis = 0; axis < shape.rank(); axis++) {
      int size = Math.toIntExact(shape.dimension(axis));
      int[] along = along(weight, axis);
      int[] stay = along.length == 0 ? IntStream.range(0, size).toArray() : along;
      int[] next = new int[indices.length * stay.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = indices[i / stay.length] * size + stay[i % stay.length];
      }
      indices = next;
    }
    return indices;
  }

  /** The kept units of the layer that lies along an axis; empty where none does. */
  private int[] along(String weight, int axis) {
    HiddenLayer.Place place = new HiddenLayer.Place(weight, axis);
    for (int layer = 0; layer < layers.size(); layer++) {
      HiddenLayer each = layers.get(layer);
      if (each.incoming().contains(place) || each.outgoing().contains(place)) {
        return kept.get(layer);
      }
    }
    return new int[0];
  }
}
