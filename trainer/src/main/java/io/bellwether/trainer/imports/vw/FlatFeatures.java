package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.Map;

/**
 * Features that stood in namespaces, as one flat object: {@code {"User":{"age":3}}} becomes {@code
 * {"User-age":3}}. A surface can declare every name: what is no letter, digit, {@code _} or {@code
 * -} becomes {@code _}, and names are cut to 128 characters. Confined to one thread.
 *
 * <p>As in VW, a name that comes twice adds up: numbers are summed, texts become a list. {@code
 * false} and null are the same as absence. The words of {@code _text} are a list under their
 * namespace's name.
 */
final class FlatFeatures {

  private static final int MAX_NAME = 128;
  private static final int MAX_DEPTH = 12;
  private static final String TEXT = "_text";
  private static final String REFERENCE = "__aid";

  private final ObjectNode features;

  /** Adds to features that are there already. */
  FlatFeatures(ObjectNode features) {
    this.features = features;
  }

  /** What was added so far, not a copy. */
  ObjectNode all() {
    return features;
  }

  /** The features of an object of VW's JSON. */
  static ObjectNode of(JsonNode object, String where) throws UnreadableLine {
    FlatFeatures flat = new FlatFeatures(JsonNodeFactory.instance.objectNode());
    flat.addAll("", object, where);
    return flat.features;
  }

  /**
   * Adds what an object of VW's JSON holds; keys that begin with {@code _} are not features.
   *
   * @param prefix begins each name; empty: none
   * @param where the object's place in its line, for reasons
   */
  void addAll(String prefix, JsonNode object, String where) throws UnreadableLine {
    addAll(prefix, object, where, 0);
  }

  private void addAll(String prefix, JsonNode object, String where, int depth)
      throws UnreadableLine {
    if (depth > MAX_DEPTH) {
      throw new UnreadableLine(where + " is nested deeper than " + MAX_DEPTH + " objects");
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String key = field.getKey();
      String here = where + "." + key;
      if (key.equals(TEXT)) {
        addWords(prefix, field.getValue());
      } else if (key.equals(REFERENCE)) {
        throw new UnreadableLine(
            here
                + " refers to an action of another line (deduplicated log); expand the log first,"
                + " every line must hold its actions");
      } else if (!key.startsWith("_")) {
        add(join(prefix, key), field.getValue(), here, depth);
      }
    }
  }

  private void addWords(String prefix, JsonNode text) throws UnreadableLine {
    String name = prefix.isEmpty() ? "text" : prefix;
    for (String word : text.asText().split("[ \t]+", -1)) {
      if (!word.isEmpty()) {
        addText(name, word);
      }
    }
  }

  private void add(String name, JsonNode value, String where, int depth) throws UnreadableLine {
    if (value.isObject()) {
      addAll(name, value, where, depth + 1);
    } else if (value.isArray()) {
      addArray(name, (ArrayNode) value, where, depth);
    } else if (value.isTextual()) {
      addText(name, value.textValue());
    } else if (value.isNumber()) {
      addNumber(name, finite(value, where));
    } else if (value.isBoolean() && value.booleanValue()) {
      addFlag(name);
    }
  }

  private void addArray(String name, ArrayNode array, String where, int depth)
      throws UnreadableLine {
    int numbers = 0;
    for (int i = 0; i < array.size(); i++) {
      JsonNode element = array.get(i);
      String here = where + "[" + i + "]";
      if (element.isNumber()) {
        finite(element, here);
        numbers++;
      } else if (element.isObject()) {
        addAll(name, element, here, depth + 1);
      } else if (element.isTextual()) {
        addText(name, element.textValue());
      } else if (!element.isNull()) {
        throw new UnreadableLine(
            "%s is %s; arrays must hold numbers, texts or objects"
                .formatted(here, Found.in(element)));
      }
    }
    if (numbers > 0) {
      if (numbers != array.size() || features.has(clean(name))) {
        throw new UnreadableLine(where + " mixes numbers with something else");
      }
      features.set(clean(name), array);
    }
  }

  /** Adds a one-hot feature: one of a category's values. */
  void addText(String name, String text) throws UnreadableLine {
    String key = clean(name);
    JsonNode there = features.path(key);
    if (there.isMissingNode()) {
      features.put(key, text);
    } else if (there.isTextual()) {
      features.putArray(key).add(there.textValue()).add(text);
    } else if (there.isArray() && there.path(0).isTextual()) {
      ((ArrayNode) there).add(text);
    } else {
      throw twice(key, there, "a text");
    }
  }

  /** Adds a number. */
  void addNumber(String name, double value) throws UnreadableLine {
    String key = clean(name);
    JsonNode there = features.path(key);
    if (!there.isMissingNode() && !there.isNumber()) {
      throw twice(key, there, "a number");
    }
    // 0.0 + -0.0 is 0.0: equal values give equal rows.
    features.put(key, there.asDouble() + value);
  }

  /** Adds a component of a vector. */
  void addComponent(String name, double value) throws UnreadableLine {
    String key = clean(name);
    JsonNode there = features.path(key);
    if (there.isMissingNode()) {
      features.putArray(key).add(value + 0.0);
    } else if (there.isArray() && there.path(0).isNumber()) {
      ((ArrayNode) there).add(value + 0.0);
    } else {
      throw twice(key, there, "a number without a name");
    }
  }

  /** Adds a feature that is there or not. */
  void addFlag(String name) throws UnreadableLine {
    String key = clean(name);
    JsonNode there = features.path(key);
    if (!there.isMissingNode() && !there.isBoolean()) {
      throw twice(key, there, "true");
    }
    features.set(key, BooleanNode.TRUE);
  }

  private static UnreadableLine twice(String key, JsonNode there, String again) {
    return new UnreadableLine(
        "feature '%s' is both %s and %s, must be of one kind"
            .formatted(key, Found.in(there), again));
  }

  private static double finite(JsonNode value, String where) throws UnreadableLine {
    double number = value.doubleValue();
    if (!Double.isFinite(number)) {
      throw new UnreadableLine(where + " is " + value.asText() + ", must be a finite number");
    }
    return number;
  }

  /** The name of a key inside a namespace. */
  static String join(String prefix, String key) {
    return prefix.isEmpty() ? key : prefix + "-" + key;
  }

  private static String clean(String name) {
    boolean right = !name.isEmpty() && name.length() <= MAX_NAME && isLetterOrDigit(name.charAt(0));
    for (int i = 0; right && i < name.length(); i++) {
      right = isNameCharacter(name.charAt(i));
    }
    if (right) {
      return name;
    }
    StringBuilder clean = new StringBuilder();
    if (name.isEmpty() || !isLetterOrDigit(name.charAt(0))) {
      clean.append('f');
    }
    for (int i = 0; i < name.length(); i++) {
      clean.append(isNameCharacter(name.charAt(i)) ? name.charAt(i) : '_');
    }
    if (clean.length() > MAX_NAME) {
      String tail = "-%08x".formatted(name.hashCode());
      clean.setLength(MAX_NAME - tail.length());
      clean.append(tail);
    }
    return clean.toString();
  }

  private static boolean isNameCharacter(char c) {
    return isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
