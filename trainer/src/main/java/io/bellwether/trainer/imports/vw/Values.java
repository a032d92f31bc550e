package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of dsjson's own keys; one of a wrong kind makes its line unreadable. */
final class Values {

  private Values() {}

  /**
   * {@code _label_cost}; empty where there is none.
   *
   * @param where begins reasons
   * @param notes takes what had to be decided
   */
  static OptionalDouble cost(JsonNode holder, String where, Set<String> notes)
      throws UnreadableLine {
    JsonNode cost = holder.path("_label_cost");
    JsonNode original = holder.path("_original_label_cost");
    if (cost.isMissingNode() || cost.isNull()) {
      return OptionalDouble.empty();
    }
    double value = number(cost, where + "_label_cost");
    if (original.isNumber() && original.doubleValue() != value) {
      notes.add(DsjsonLine.COST_CHANGED);
    }
    return OptionalDouble.of(value);
  }

  static @Nullable String text(JsonNode holder, String key) throws UnreadableLine {
    JsonNode node = holder.path(key);
    if (node.isMissingNode() || node.isNull()) {
      return null;
    }
    if (!node.isTextual() || node.textValue().isBlank()) {
      throw new UnreadableLine(key + " is " + Found.in(node) + ", must be a text");
    }
    return node.textValue();
  }

  static boolean flag(JsonNode holder, String key) throws UnreadableLine {
    JsonNode node = holder.path(key);
    if (!node.isMissingNode() && !node.isNull() && !node.isBoolean()) {
      throw new UnreadableLine(key + " is " + Found.in(node) + ", must be true or false");
    }
    return node.booleanValue();
  }

  /** {@code p} or {@code _p}, a number or an array; empty where there is none. */
  static double[] probabilities(JsonNode holder, String where) throws UnreadableLine {
    JsonNode plain = holder.path("p");
    JsonNode marked = holder.path("_p");
    if (!plain.isMissingNode() && !marked.isMissingNode() && !plain.equals(marked)) {
      throw new UnreadableLine(where + "has p and _p, and they differ; must be one of the two");
    }
    String key = plain.isMissingNode() ? "_p" : "p";
    JsonNode list = plain.isMissingNode() ? marked : plain;
    if (list.isNumber()) {
      return new double[] {list.doubleValue()};
    }
    if (!list.isMissingNode() && !list.isArray()) {
      throw new UnreadableLine(
          where + key + " is " + Found.in(list) + ", must be an array of probabilities");
    }
    double[] numbers = new double[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (!list.get(i).isNumber()) {
        throw new UnreadableLine(
            "%s%s[%d] is %s, must be a probability"
                .formatted(where, key, i, Found.in(list.get(i))));
      }
      numbers[i] = list.get(i).doubleValue();
    }
    return numbers;
  }

  static int[] integers(JsonNode node, String where) throws UnreadableLine {
    if (node.isNumber()) {
      return new int[] {integer(node, where)};
    }
    if (!node.isArray()) {
      throw new UnreadableLine(where + " is " + Found.in(node) + ", must be an array of actions");
    }
    int[] numbers = new int[node.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = integer(node.get(i), where + "[" + i + "]");
    }
    return numbers;
  }

  static int integer(JsonNode node, String where) throws UnreadableLine {
    if (!node.canConvertToExactIntegral() || !node.canConvertToInt() || node.intValue() < 0) {
      throw new UnreadableLine(
          where + " is " + Found.in(node) + ", must be a whole number, at least 0");
    }
    return node.intValue();
  }

  static double number(JsonNode node, String where) throws UnreadableLine {
    if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
      throw new UnreadableLine(where + " is " + Found.in(node) + ", must be a finite number");
    }
    return node.doubleValue();
  }
}
