package io.bellwether.trainer.network;

import java.util.ArrayList;
import java.util.List;

/**
 * A layer whose units only pass numbers on, so that a unit can be taken out of the network with all
 * of its weights. Immutable.
 *
 * @param name of the layer
 * @param units how many it has
 * @param incoming where the weights into each unit are: unit {@code k} is index {@code k} of the
 *     axis
 * @param outgoing where the weights out of each unit are
 */
public record HiddenLayer(String name, int units, List<Place> incoming, List<Place> outgoing) {

  /** One axis of one weight. */
  public record Place(String weight, int axis) {

    /** Where the weights into the units of a dense layer are. */
    static List<Place> unitsOf(String dense) {
      return List.of(new Place(dense + ".weight", 1), new Place(dense + ".bias", 0));
    }
  }

  public HiddenLayer {
    incoming = List.copyOf(incoming);
    outgoing = List.copyOf(outgoing);
    if (units < 1 || incoming.isEmpty() || outgoing.isEmpty()) {
      throw new IllegalArgumentException(
          name + " has no units, or none that anything goes through");
    }
  }

  /** What one dense layer gives and other dense layers take. */
  static HiddenLayer between(ParameterLayout layout, String dense, List<String> consumers) {
    return of(layout, dense, Place.unitsOf(dense), consumers);
  }

  static HiddenLayer of(
      ParameterLayout layout, String name, List<Place> incoming, List<String> consumers) {
    List<Place> outgoing = new ArrayList<>();
    consumers.forEach(consumer -> outgoing.add(new Place(consumer + ".weight", 0)));
    Place first = incoming.get(0);
    int units = Math.toIntExact(layout.shape(first.weight()).dimension(first.axis()));
    List<Place> all = new ArrayList<>(incoming);
    all.addAll(outgoing);
    for (Place place : all) {
      if (layout.shape(place.weight()).dimension(place.axis()) != units) {
        throw new IllegalArgumentException(
            "axis %d of %s %s is not one of %d units"
                .formatted(place.axis(), place.weight(), layout.shape(place.weight()), units));
      }
    }
    return new HiddenLayer(name, units, incoming, outgoing);
  }
}
