package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import java.util.List;

/**
 * Features of an item out of the columns in which they were encoded, for items whose features were
 * not logged as they were sent. Numbers are 32-bit floats; a value of a category without listed
 * values is known only by the bucket that it was hashed into, and called {@code bucket-n}; what was
 * missing is left out. Immutable.
 */
public record ItemFeatures(List<Feature> declared) {

  /** The features in {@code row} from {@code offset} on. */
  public ObjectNode decode(float[] row, int offset) {
    ObjectNode features = JsonNodeFactory.instance.objectNode();
    int at = offset;
    for (Feature feature : declared) {
      String name = feature.name();
      if (feature instanceof Feature.Number) {
        if (row[at + 1] != 0) {
          features.put(name, row[at]);
        }
        at += 2;
      } else if (feature instanceof Feature.Flag) {
        if (row[at] != 0) {
          features.put(name, true);
        }
        at++;
      } else if (feature instanceof Feature.Category category) {
        if (row[at] != 0) {
          features.put(name, value(category.values(), row[at]));
        }
        at++;
      } else if (feature instanceof Feature.Categories many) {
        ArrayNode values = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < many.max(); i++, at++) {
          if (row[at] != 0) {
            values.add(value(many.values(), row[at]));
          }
        }
        if (!values.isEmpty()) {
          features.set(name, values);
        }
      } else if (feature instanceof Feature.Vector vector) {
        ArrayNode components = features.putArray(name);
        for (int i = 0; i < vector.size(); i++, at++) {
          components.add(row[at]);
        }
      }
    }
    return features;
  }

  private static String value(List<String> listed, float id) {
    int index = (int) id - 1;
    return index < listed.size() ? listed.get(index) : "bucket-" + index;
  }
}
