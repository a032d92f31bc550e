package io.bellwether.ingestion.feature;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Feature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the features of one context or one item from JSON into the columns of a {@link
 * FeatureLayout}. Immutable and thread-safe.
 *
 * <p>What is missing or null takes its column's missing value. What is not declared, has the wrong
 * type, is not finite or lies outside its declared range is a {@link Violation}; the row must then
 * not be used. {@code -0.0} is written as {@code 0.0}, so that equal values give equal rows.
 */
public final class FeatureEncoder {

  private final Map<String, Slot> slots = new HashMap<>();
  private final String known;
  private final int width;

  private record Slot(Feature feature, int offset, Map<String, Integer> ids, int number) {}

  /** Where a feature stands; put into words only where something is wrong with it. */
  private record Place(String pointer, String name) {

    Place at(int element) {
      return new Place(toString(), Integer.toString(element));
    }

    @Override
    public String toString() {
      return pointer + "/" + escaped(name);
    }
  }

  public FeatureEncoder(List<Feature> features) {
    int offset = 0;
    List<String> names = new ArrayList<>();
    for (Feature feature : features) {
      names.add(feature.name());
      Map<String, Integer> ids = Map.of();
      int columns;
      if (feature instanceof Feature.Number) {
        columns = 2;
      } else if (feature instanceof Feature.Category category) {
        columns = 1;
        ids = idsOf(category.values());
      } else if (feature instanceof Feature.Categories many) {
        columns = many.max();
        ids = idsOf(many.values());
      } else if (feature instanceof Feature.Vector vector) {
        columns = vector.size();
      } else {
        columns = 1;
      }
      slots.put(feature.name(), new Slot(feature, offset, ids, slots.size()));
      offset += columns;
    }
    this.width = offset;
    this.known = String.join(", ", names);
  }

  /** Floats that {@link #encode} writes. */
  public int width() {
    return width;
  }

  /**
   * Writes {@link #width} floats to {@code row} from {@code offset} on.
   *
   * @param features a JSON object, or a missing or null node for none at all
   * @param pointer where {@code features} stands in the request, for violations
   * @param violations what is wrong is added here
   */
  public void encode(
      JsonNode features, String pointer, float[] row, int offset, List<Violation> violations) {
    Arrays.fill(row, offset, offset + width, 0f);
    if (features.isMissingNode() || features.isNull()) {
      return;
    }
    if (!features.isObject()) {
      violations.add(
          new Violation(
              "invalid-request", pointer, "is " + kind(features) + ", must be an object"));
      return;
    }
    for (Map.Entry<String, JsonNode> field : features.properties()) {
      Slot slot = slots.get(field.getKey());
      Place here = new Place(pointer, field.getKey());
      if (slot == null) {
        violations.add(
            new Violation(
                "unknown-field",
                here.toString(),
                "is not declared; the surface declares " + known));
      } else if (!field.getValue().isNull()) {
        encodeOne(slot, field.getValue(), here, row, offset + slot.offset(), violations);
      }
    }
  }

  /**
   * The same from a parser and without a tree, where nothing is wrong: each field is declared,
   * comes once and has a right value. Otherwise {@link #encode(JsonNode, String, float[], int,
   * List)} can tell what is wrong.
   *
   * @param parser at the beginning of an object; left at its end whatever is in it
   * @return whether nothing is wrong, and so the row may be used
   */
  public boolean encode(JsonParser parser, float[] row, int offset) throws IOException {
    Arrays.fill(row, offset, offset + width, 0f);
    boolean right = slots.size() <= Long.SIZE;
    long seen = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Slot slot = slots.get(parser.currentName());
      JsonToken first = parser.nextToken();
      if (slot == null) {
        right = false;
      } else {
        long bit = 1L << slot.number();
        right &= (seen & bit) == 0;
        seen |= bit;
        right &= first == JsonToken.VALUE_NULL || encodeOne(slot, parser, row, offset);
      }
      parser.skipChildren();
    }
    return right;
  }

  private static boolean encodeOne(Slot slot, JsonParser parser, float[] row, int offset)
      throws IOException {
    Feature feature = slot.feature();
    JsonToken first = parser.currentToken();
    int at = offset + slot.offset();
    if (feature instanceof Feature.Number number) {
      double x = first.isNumeric() ? parser.getDoubleValue() : Double.NaN;
      row[at] = (float) x + 0f;
      row[at + 1] = 1f;
      return isFloat(x) && x >= number.min() && x <= number.max();
    }
    if (feature instanceof Feature.Flag) {
      row[at] = first == JsonToken.VALUE_TRUE ? 1f : 0f;
      return first.isBoolean();
    }
    if (feature instanceof Feature.Category category) {
      if (first != JsonToken.VALUE_STRING) {
        return false;
      }
      row[at] = id(slot.ids(), category.buckets(), parser.getText());
      return true;
    }
    if (first != JsonToken.START_ARRAY) {
      return false;
    }
    return feature instanceof Feature.Vector vector
        ? encodeVector(vector, parser, row, at)
        : encodeCategories(slot, (Feature.Categories) feature, parser, row, at);
  }

  private static boolean encodeVector(Feature.Vector vector, JsonParser parser, float[] row, int at)
      throws IOException {
    boolean right = true;
    int count = 0;
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken(), count++) {
      if (count < vector.size() && next.isNumeric()) {
        double x = parser.getDoubleValue();
        row[at + count] = (float) x + 0f;
        right &= isFloat(x);
      } else {
        parser.skipChildren();
        right = false;
      }
    }
    return right && count == vector.size();
  }

  private static boolean encodeCategories(
      Slot slot, Feature.Categories many, JsonParser parser, float[] row, int at)
      throws IOException {
    boolean right = true;
    int count = 0;
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken(), count++) {
      if (count < many.max() && next == JsonToken.VALUE_STRING) {
        row[at + count] = id(slot.ids(), many.buckets(), parser.getText());
      } else {
        parser.skipChildren();
        right = false;
      }
    }
    Arrays.sort(row, at, at + Math.min(count, many.max()));
    return right;
  }

  private static void encodeOne(
      Slot slot, JsonNode value, Place place, float[] row, int at, List<Violation> violations) {
    Feature feature = slot.feature();
    if (feature instanceof Feature.Number number) {
      encodeNumber(number, value, place, row, at, violations);
    } else if (feature instanceof Feature.Flag) {
      if (value.isBoolean()) {
        row[at] = value.booleanValue() ? 1f : 0f;
      } else {
        violations.add(invalid(place, "is " + kind(value) + ", must be true or false"));
      }
    } else if (feature instanceof Feature.Category category) {
      if (value.isTextual()) {
        row[at] = id(slot.ids(), category.buckets(), value.textValue());
      } else {
        violations.add(invalid(place, "is " + kind(value) + ", must be a text"));
      }
    } else if (feature instanceof Feature.Categories many) {
      encodeCategories(slot, many, value, place, row, at, violations);
    } else if (feature instanceof Feature.Vector vector) {
      encodeVector(vector, value, place, row, at, violations);
    }
  }

  private static void encodeNumber(
      Feature.Number number,
      JsonNode value,
      Place place,
      float[] row,
      int at,
      List<Violation> violations) {
    if (!value.isNumber()) {
      violations.add(invalid(place, "is " + kind(value) + ", must be a number"));
      return;
    }
    double x = value.doubleValue();
    if (!isFloat(x)) {
      violations.add(outOfRange(place, value, "a finite number that fits a 32-bit float"));
    } else if (x < number.min() || x > number.max()) {
      violations.add(
          outOfRange(place, value, "a number from " + number.min() + " to " + number.max()));
    } else {
      row[at] = (float) x + 0f;
      row[at + 1] = 1f;
    }
  }

  private static void encodeCategories(
      Slot slot,
      Feature.Categories many,
      JsonNode value,
      Place place,
      float[] row,
      int at,
      List<Violation> violations) {
    if (!value.isArray() || value.size() > many.max()) {
      violations.add(
          invalid(
              place,
              "is " + kind(value) + ", must be an array of at most " + many.max() + " texts"));
      return;
    }
    for (int i = 0; i < value.size(); i++) {
      if (value.get(i).isTextual()) {
        row[at + i] = id(slot.ids(), many.buckets(), value.get(i).textValue());
      } else {
        violations.add(invalid(place.at(i), "is " + kind(value.get(i)) + ", must be a text"));
      }
    }
    Arrays.sort(row, at, at + value.size());
  }

  private static void encodeVector(
      Feature.Vector vector,
      JsonNode value,
      Place place,
      float[] row,
      int at,
      List<Violation> violations) {
    if (!value.isArray() || value.size() != vector.size()) {
      violations.add(
          invalid(
              place, "is " + kind(value) + ", must be an array of " + vector.size() + " numbers"));
      return;
    }
    for (int i = 0; i < value.size(); i++) {
      JsonNode component = value.get(i);
      if (!component.isNumber() || !isFloat(component.doubleValue())) {
        violations.add(invalid(place.at(i), "is " + component + ", must be a finite number"));
      } else {
        row[at + i] = (float) component.doubleValue() + 0f;
      }
    }
  }

  private static Map<String, Integer> idsOf(List<String> values) {
    Map<String, Integer> ids = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      ids.put(values.get(i), i + 1);
    }
    return ids;
  }

  /** 0 for a text that is not listed; where none is listed, 1 + FNV-1a of its UTF-8 mod buckets. */
  private static int id(Map<String, Integer> ids, int buckets, String text) {
    if (!ids.isEmpty()) {
      return ids.getOrDefault(text, 0);
    }
    int hash = 0x811C9DC5;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * 0x01000193;
    }
    return 1 + Integer.remainderUnsigned(hash, buckets);
  }

  private static boolean isFloat(double x) {
    return Math.abs(x) <= Float.MAX_VALUE;
  }

  private static Violation invalid(Place place, String detail) {
    return new Violation("invalid-request", place.toString(), detail);
  }

  private static Violation outOfRange(Place place, JsonNode found, String right) {
    return new Violation(
        "value-out-of-range", place.toString(), "is " + found + ", must be " + right);
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  private static String kind(JsonNode node) {
    if (node.isArray()) {
      return "an array of " + node.size();
    }
    if (node.isObject()) {
      return "an object";
    }
    String text = node.toString();
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
