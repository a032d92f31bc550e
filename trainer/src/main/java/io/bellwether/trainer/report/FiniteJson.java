package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The last line of defence of a report's promise that every number in it is one: where a NaN or an
 * infinity got this far, null stands in its place, and beside it why.
 */
final class FiniteJson {

  private static final String REASON = "NOT_FINITE";

  private FiniteJson() {}

  /** Changes the tree in place and gives it back. */
  static ObjectNode of(ObjectNode tree) {
    List<String> names = new ArrayList<>();
    tree.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      JsonNode value = tree.get(name);
      if (isBroken(value)) {
        tree.putNull(name);
        tree.put(name.equals("value") ? "reason" : name + "Reason", REASON);
      } else {
        descend(value);
      }
    }
    return tree;
  }

  private static void descend(JsonNode value) {
    if (value instanceof ObjectNode object) {
      of(object);
    } else if (value instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (isBroken(array.get(i))) {
          array.setNull(i);
        } else {
          descend(array.get(i));
        }
      }
    }
  }

  private static boolean isBroken(JsonNode value) {
    return value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue());
  }
}
