package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.bellwether.ingestion.surface.Feature;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes the features of a foreign log fit a surface's declarations without changing what they say:
 * a number where a category is declared becomes its digits, a text of digits a number, a single
 * text a list of one, 0 and 1 a flag. What is not declared is left out and named. What does not fit
 * is kept as it is, for the encoder to refuse with a reason. Immutable and thread-safe.
 */
public final class FeatureFit {

  /** A feature of this name stands for the item's id, where the log has no such feature. */
  public static final String ITEM = "item";

  private static final String[] TRUE = {"true", "1"};
  private static final String[] FALSE = {"false", "0"};

  private final Map<String, Feature> declared = new HashMap<>();

  public FeatureFit(List<Feature> features) {
    features.forEach(feature -> declared.put(feature.name(), feature));
  }

  /**
   * The fitting features: {@code raw} itself where all of them fit, otherwise a copy.
   *
   * @param leftOut takes the name of each feature that is not declared, or whose list was cut to
   *     what its declaration holds
   */
  public ObjectNode fit(ObjectNode raw, Consumer<String> leftOut) {
    ObjectNode fitting = raw;
    boolean copied = false;
    for (Map.Entry<String, JsonNode> field : raw.properties()) {
      String name = field.getKey();
      Feature feature = declared.get(name);
      if (feature == null) {
        leftOut.accept(name);
        fitting = copied ? fitting : copyOf(raw);
        copied = true;
        fitting.remove(name);
        continue;
      }
      JsonNode value = fit(feature, field.getValue(), leftOut);
      if (!value.equals(field.getValue())) {
        fitting = copied ? fitting : copyOf(raw);
        copied = true;
        fitting.set(name, value);
      }
    }
    return fitting;
  }

  /** The same of a candidate; its id is the feature {@link #ITEM} where that is declared. */
  public ObjectNode fit(LoggedDecision.Candidate candidate, Consumer<String> leftOut) {
    ObjectNode fitting = fit(candidate.features(), leftOut);
    if (declared.get(ITEM) instanceof Feature.Category && !fitting.has(ITEM)) {
      fitting = copyOf(fitting);
      fitting.put(ITEM, candidate.itemId());
    }
    return fitting;
  }

  private static ObjectNode copyOf(ObjectNode features) {
    return features.objectNode().setAll(features);
  }

  private static JsonNode fit(Feature feature, JsonNode value, Consumer<String> leftOut) {
    if (feature instanceof Feature.Number) {
      return number(value);
    }
    if (feature instanceof Feature.Flag) {
      return flag(value);
    }
    if (feature instanceof Feature.Category) {
      return text(value.isArray() && value.size() == 1 ? value.get(0) : value);
    }
    return feature instanceof Feature.Categories many ? texts(many, value, leftOut) : value;
  }

  private static JsonNode number(JsonNode value) {
    if (value.isBoolean()) {
      return DoubleNode.valueOf(value.booleanValue() ? 1 : 0);
    }
    if (!value.isTextual()) {
      return value;
    }
    double number = DecimalText.value(value.textValue().strip());
    return Double.isNaN(number) ? value : DoubleNode.valueOf(number);
  }

  private static JsonNode flag(JsonNode value) {
    String text = value.isNumber() ? digits(value) : value.asText().toLowerCase(Locale.ROOT);
    if (value.isBoolean()) {
      return value;
    }
    if (value.isValueNode() && List.of(TRUE).contains(text)) {
      return BooleanNode.TRUE;
    }
    return value.isValueNode() && List.of(FALSE).contains(text) ? BooleanNode.FALSE : value;
  }

  private static JsonNode text(JsonNode value) {
    if (value.isNumber()) {
      return TextNode.valueOf(digits(value));
    }
    return value.isBoolean() ? TextNode.valueOf(value.asText()) : value;
  }

  private static JsonNode texts(
      Feature.Categories feature, JsonNode value, Consumer<String> leftOut) {
    if (value.isNull() || value.isObject() || fits(feature, value)) {
      return value;
    }
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    if (!value.isArray()) {
      return texts.add(text(value));
    }
    for (JsonNode each : value) {
      if (texts.size() == feature.max()) {
        leftOut.accept(feature.name());
        break;
      }
      texts.add(text(each));
    }
    return texts;
  }

  private static boolean fits(Feature.Categories feature, JsonNode value) {
    boolean fits = value.isArray() && value.size() <= feature.max();
    for (JsonNode each : value) {
      fits &= each.isTextual();
    }
    return fits;
  }

  /** 3.0 and 3 are the same category. */
  private static String digits(JsonNode number) {
    double value = number.doubleValue();
    if (!Double.isFinite(value)) {
      return number.asText();
    }
    return new BigDecimal(number.asText()).stripTrailingZeros().toPlainString();
  }
}
