package io.bellwether.trainer.pruning;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.network.HiddenLayer;
import io.bellwether.trainer.network.KeptUnits;
import io.bellwether.trainer.network.Parameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which units of each hidden layer matter most: those with the largest product of the norm of the
 * weights into a unit and the norm of the weights out of it. A unit's share of what the next layer
 * takes is at most that product, up to its input's norm, and scaling one side up and the other
 * down, which changes nothing, does not change it. Stateless.
 */
final class UnitImportance {

  /** The units that are left when a share of each layer goes; at least one of each layer. */
  KeptUnits keep(List<HiddenLayer> layers, Parameters parameters, double share) {
    List<int[]> kept = new ArrayList<>();
    for (HiddenLayer layer : layers) {
      double[] importance = of(layer, parameters);
      int count = Math.max(1, (int) Math.round(layer.units() * (1 - share)));
      Integer[] order = new Integer[layer.units()];
      Arrays.setAll(order, unit -> unit);
      Arrays.sort(order, Comparator.comparingDouble(unit -> -importance[unit]));
      kept.add(Arrays.stream(order, 0, count).mapToInt(unit -> unit).sorted().toArray());
    }
    return new KeptUnits(layers, kept);
  }

  double[] of(HiddenLayer layer, Parameters parameters) {
    double[] into = squares(layer.incoming(), layer.units(), parameters);
    double[] out = squares(layer.outgoing(), layer.units(), parameters);
    double[] importance = new double[layer.units()];
    Arrays.setAll(importance, unit -> Math.sqrt(into[unit] * out[unit]));
    return importance;
  }

  private static double[] squares(
      List<HiddenLayer.Place> places, int units, Parameters parameters) {
    double[] squares = new double[units];
    for (HiddenLayer.Place place : places) {
      Shape shape = parameters.layout().shape(place.weight());
      float[] weight = parameters.get(place.weight());
      long stride = 1;
      for (int axis = place.axis() + 1; axis < shape.rank(); axis++) {
        stride *= shape.dimension(axis);
      }
      for (int i = 0; i < weight.length; i++) {
        squares[(int) (i / stride % units)] += (double) weight[i] * weight[i];
      }
    }
    return squares;
  }
}
