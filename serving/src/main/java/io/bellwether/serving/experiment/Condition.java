package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/**
 * Something that must hold of the subject or the context for a unit to be in. What is missing, null
 * or of another type holds never. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
  @JsonSubTypes.Type(Condition.In.class),
  @JsonSubTypes.Type(Condition.NotIn.class),
  @JsonSubTypes.Type(Condition.AtLeast.class),
  @JsonSubTypes.Type(Condition.AtMost.class),
  @JsonSubTypes.Type(Condition.Exists.class)
})
public sealed interface Condition {

  /** The attribute that is the subject's id. */
  String SUBJECT = "subject";

  /** A context feature's name, or {@link #SUBJECT}. */
  String attribute();

  /** Whether it holds of an attribute's value, which is there. */
  boolean holds(JsonNode value);

  /** Whether it holds of a subject's id. */
  default boolean holds(String subjectId) {
    return holds(TextNode.valueOf(subjectId));
  }

  /** One of these values; for several categories, any of them. */
  record In(String attribute, List<JsonNode> in) implements Condition {
    public In {
      in = List.copyOf(in);
    }

    @Override
    public boolean holds(JsonNode value) {
      return anyOf(in, value);
    }
  }

  /** None of these values. */
  record NotIn(String attribute, List<JsonNode> notIn) implements Condition {
    public NotIn {
      notIn = List.copyOf(notIn);
    }

    @Override
    public boolean holds(JsonNode value) {
      return !anyOf(notIn, value);
    }
  }

  /** A number that is not smaller. */
  record AtLeast(String attribute, double atLeast) implements Condition {
    @Override
    public boolean holds(JsonNode value) {
      return value.isNumber() && value.doubleValue() >= atLeast;
    }
  }

  /** A number that is not larger. */
  record AtMost(String attribute, double atMost) implements Condition {
    @Override
    public boolean holds(JsonNode value) {
      return value.isNumber() && value.doubleValue() <= atMost;
    }
  }

  /** Any value. */
  record Exists(String attribute, boolean exists) implements Condition {
    @Override
    public boolean holds(JsonNode value) {
      return true;
    }
  }

  private static boolean anyOf(List<JsonNode> list, JsonNode value) {
    if (value.isArray()) {
      for (JsonNode element : value) {
        if (anyOf(list, element)) {
          return true;
        }
      }
      return false;
    }
    for (JsonNode listed : list) {
      boolean same =
          (listed.isNumber() && value.isNumber())
              ? listed.doubleValue() == value.doubleValue()
              : listed.equals(value);
      if (same) {
        return true;
      }
    }
    return false;
  }
}
