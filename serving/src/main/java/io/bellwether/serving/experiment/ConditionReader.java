package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.experiment.TypedFields.Range;
import io.bellwether.serving.request.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the conditions of one declaration. They may name the surface's context features, which are
 * sent before anything is decided, and the subject: nothing that a treatment can change. Confined
 * to one thread.
 */
final class ConditionReader {

  private static final Set<String> FIELDS =
      Set.of("attribute", "in", "notIn", "atLeast", "atMost", "exists");

  private static final int MAX_CONDITIONS = 50;
  private static final int MAX_VALUES = 1000;
  private static final Range ANY = Range.atLeast(-Double.MAX_VALUE);

  private final TypedFields declaration;
  private final @Nullable Surface surface;

  /**
   * @param surface absent where it is not declared, which was noted elsewhere
   */
  ConditionReader(TypedFields declaration, @Nullable Surface surface) {
    this.declaration = declaration;
    this.surface = surface;
  }

  List<Condition> read(String field) {
    List<TypedFields> objects = declaration.objects(field, FIELDS);
    if (objects.size() > MAX_CONDITIONS) {
      declaration.refuse(field, "an array of at most " + MAX_CONDITIONS + " conditions");
    }
    List<Condition> conditions = new ArrayList<>();
    objects.forEach(object -> readOne(object, conditions));
    return conditions;
  }

  private void readOne(TypedFields object, List<Condition> conditions) {
    String attribute = object.fields().requiredText("attribute");
    Feature feature = feature(attribute);
    if (surface != null && feature == null && !attribute.equals(Condition.SUBJECT)) {
      String known =
          Stream.concat(Stream.of(Condition.SUBJECT), surface.context().stream().map(Feature::name))
              .collect(Collectors.joining(", "));
      object.refuse(
          "attribute",
          "subject or a context feature of '%s': %s; only what is known before a decision can be"
                  .formatted(surface.name(), known)
              + " asked for");
    }
    int before = conditions.size();
    if (object.has("in")) {
      conditions.add(new Condition.In(attribute, values(object, "in", feature)));
    }
    if (object.has("notIn")) {
      conditions.add(new Condition.NotIn(attribute, values(object, "notIn", feature)));
    }
    if (object.has("atLeast")) {
      conditions.add(new Condition.AtLeast(attribute, number(object, "atLeast", feature)));
    }
    if (object.has("atMost")) {
      conditions.add(new Condition.AtMost(attribute, number(object, "atMost", feature)));
    }
    if (object.has("exists")) {
      if (!object.fields().get("exists").equals(BooleanNode.TRUE)) {
        object.refuse("exists", "true; what is missing fits no condition");
      }
      conditions.add(new Condition.Exists(attribute, true));
    }
    if (conditions.size() == before) {
      object.fields().refuse("in", "is missing, as are notIn, atLeast, atMost and exists");
    }
  }

  private @Nullable Feature feature(String name) {
    return surface == null
        ? null
        : surface.context().stream().filter(f -> f.name().equals(name)).findFirst().orElse(null);
  }

  private double number(TypedFields object, String field, @Nullable Feature feature) {
    if (surface != null && !(feature instanceof Feature.Number)) {
      object.fields().refuse(field, "compares numbers, and the attribute is none");
    }
    return object.number(field, ANY).orElse(0);
  }

  private List<JsonNode> values(TypedFields object, String field, @Nullable Feature feature) {
    List<JsonNode> values = object.array(field, "values");
    if (values.isEmpty() || values.size() > MAX_VALUES) {
      object.refuse(field, "an array of 1 to " + MAX_VALUES + " values");
    }
    for (int i = 0; i < values.size(); i++) {
      String wrong = wrong(values.get(i), feature);
      if (wrong != null) {
        object
            .fields()
            .refuse(
                field + "/" + i, "is " + JsonFields.found(values.get(i)) + ", must be " + wrong);
      }
    }
    return values;
  }

  /** What a value would have to be; absent where it is right. */
  private @Nullable String wrong(JsonNode value, @Nullable Feature feature) {
    if (feature instanceof Feature.Number) {
      return value.isNumber() ? null : "a number";
    }
    if (feature instanceof Feature.Flag) {
      return value.isBoolean() ? null : "true or false";
    }
    if (feature instanceof Feature.Vector) {
      return "left out: vectors can only be asked for with exists";
    }
    if (!value.isTextual()) {
      return surface == null ? null : "a text";
    }
    List<String> listed = List.of();
    if (feature instanceof Feature.Category category) {
      listed = category.values();
    } else if (feature instanceof Feature.Categories categories) {
      listed = categories.values();
    }
    return listed.isEmpty() || listed.contains(value.textValue())
        ? null
        : "one of " + String.join(", ", listed);
  }
}
