package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.trainer.imports.DecimalText;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Values of columns as the JSON that a surface's features take. A text is read as what the feature
 * is, and a number or truth value as what a text of it would be; a list is a JSON array, in a text
 * too, or a text with a separator.
 */
public final class FeatureValues {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_FOUND = 60;

  private FeatureValues() {}

  /**
   * The value of a feature.
   *
   * @param column named in what is refused
   * @param separator of a list that is a text
   * @throws UnreadableLine where it is no such value
   */
  public static JsonNode of(Feature feature, String column, JsonNode value, String separator)
      throws UnreadableLine {
    if (feature instanceof Feature.Number) {
      return JSON.numberNode(number(column, value));
    }
    if (feature instanceof Feature.Flag) {
      return JSON.booleanNode(flag(column, value));
    }
    if (feature instanceof Feature.Category) {
      return JSON.textNode(text(column, value));
    }
    ArrayNode array = JSON.arrayNode();
    for (JsonNode element : list(column, value, separator)) {
      array.add(
          feature instanceof Feature.Vector
              ? JSON.numberNode(number(column, element))
              : JSON.textNode(text(column, element)));
    }
    return array;
  }

  /** A finite number. */
  public static double number(String column, JsonNode value) throws UnreadableLine {
    double number = Double.NaN;
    if (value.isNumber()) {
      number = value.doubleValue();
    } else if (value.isBoolean()) {
      number = value.booleanValue() ? 1 : 0;
    } else if (value.isTextual()) {
      number = DecimalText.value(value.textValue().trim());
    }
    if (!Double.isFinite(number)) {
      throw new UnreadableLine(column + " is " + found(value) + ", must be a finite number");
    }
    return number;
  }

  /** A truth value: true, false, 1 or 0. */
  public static boolean flag(String column, JsonNode value) throws UnreadableLine {
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    String text =
        value.isNumber() || value.isTextual() ? value.asText().toLowerCase(Locale.ROOT) : "";
    return switch (text) {
      case "1", "1.0", "true" -> true;
      case "0", "0.0", "false" -> false;
      default ->
          throw new UnreadableLine(
              column + " is " + found(value) + ", must be true, false, 1 or 0");
    };
  }

  /** A text; of a number, its digits. */
  public static String text(String column, JsonNode value) throws UnreadableLine {
    if (value.isContainerNode() || value.isNull()) {
      throw new UnreadableLine(column + " is " + found(value) + ", must be a text");
    }
    return value.asText();
  }

  /** The elements of a list; one that is missing is an empty list. */
  public static List<JsonNode> list(String column, JsonNode value, String separator)
      throws UnreadableLine {
    List<JsonNode> elements = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(elements::add);
      return elements;
    }
    String text = value.isTextual() ? value.textValue().trim() : "";
    if (text.startsWith("[")) {
      try {
        JsonNode array = MAPPER.readTree(text);
        array.forEach(elements::add);
        return elements;
      } catch (JsonProcessingException e) {
        throw new UnreadableLine(column + " is " + found(value) + ", must be a JSON array");
      }
    }
    if (value.isTextual()) {
      for (String each : text.split(Pattern.quote(separator), -1)) {
        elements.add(JSON.textNode(each.trim()));
      }
      return elements;
    }
    if (value.isObject()) {
      throw new UnreadableLine(column + " is an object, must be a list");
    }
    elements.add(value);
    return elements;
  }

  private static String found(JsonNode value) {
    String text = value.isTextual() ? value.textValue() : value.toString();
    return "'" + (text.length() <= MAX_FOUND ? text : text.substring(0, MAX_FOUND) + "...") + "'";
  }
}
