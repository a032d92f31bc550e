package io.bellwether.serving.retrieval;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.serving.item.ItemColumns;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which registered items may be proposed: those that meet every condition and are not excluded.
 * Immutable.
 *
 * <p>In a request it is an object with one field per item feature: a text or a truth value that the
 * feature must equal, {@code {"in": [...]}} with texts of which it must have one, or {@code {"min":
 * a, "max": b}} with bounds that are met by equality. A feature with several texts meets a
 * condition with any of them. An item without the feature meets no condition on it.
 *
 * @param conditions all of which must be met
 * @param excluded ids that are never proposed
 */
public record ItemFilter(List<Condition> conditions, Set<String> excluded) {

  /** Every registered item. */
  public static final ItemFilter NONE = new ItemFilter(List.of(), Set.of());

  private static final int MOST_CONDITIONS = 32;
  private static final int MOST_TEXTS = 1000;

  /** A condition on one feature, numbered in the order of the declaration. */
  public sealed interface Condition {

    /** The condition against the rows of one table. */
    RowTest against(ItemTable table);

    /** One of these texts. */
    record OneOf(int feature, List<String> texts) implements Condition {
      public OneOf {
        texts = List.copyOf(texts);
      }

      @Override
      public RowTest against(ItemTable table) {
        int[] codes = texts.stream().mapToInt(text -> table.code(feature, text)).toArray();
        int places = table.columns().words(feature);
        return row -> {
          for (int place = 0; place < places; place++) {
            int word = table.word(feature, row, place);
            for (int code : codes) {
              if (word == code) {
                return true;
              }
            }
          }
          return false;
        };
      }
    }

    /** A number in {@code [min, max]}. */
    record Between(int feature, double min, double max) implements Condition {
      @Override
      public RowTest against(ItemTable table) {
        int column = table.columns().column(feature);
        return row -> {
          float value = table.number(column, row);
          return value >= min && value <= max && table.number(column + 1, row) != 0;
        };
      }
    }

    /** A flag of this value; one that was not sent is false. */
    record Is(int feature, boolean value) implements Condition {
      @Override
      public RowTest against(ItemTable table) {
        int column = table.columns().column(feature);
        return row -> (table.number(column, row) != 0) == value;
      }
    }
  }

  /** Whether a row meets a condition. */
  interface RowTest {
    boolean meets(int row);
  }

  public ItemFilter {
    conditions = List.copyOf(conditions);
    excluded = Set.copyOf(excluded);
  }

  /** The same conditions without these ids. */
  public ItemFilter without(Set<String> ids) {
    return new ItemFilter(conditions, ids);
  }

  /**
   * Reads the field {@code filter} of a request, noting what is wrong; {@link #NONE} without one.
   */
  public static ItemFilter read(DeclaredSurface surface, JsonFields request) {
    if (!request.has("filter")) {
      return NONE;
    }
    JsonFields fields = request.object("filter");
    JsonNode filter = request.get("filter");
    if (filter.size() > MOST_CONDITIONS) {
      request.refuse(
          "filter",
          "has %d conditions, at most %d are taken".formatted(filter.size(), MOST_CONDITIONS));
      return NONE;
    }
    ItemColumns columns = new ItemColumns(surface.surface().item());
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : filter.properties()) {
      int feature = columns.feature(each.getKey());
      if (feature < 0) {
        fields
            .violations()
            .add(
                new Violation(
                    Slug.UNKNOWN_FIELD.text(),
                    fields.pointer(JsonFields.escaped(each.getKey())),
                    "is no feature of an item; declared are " + names(columns)));
      } else {
        new OneCondition(fields, JsonFields.escaped(each.getKey()), each.getValue())
            .read(feature, columns.features().get(feature), conditions);
      }
    }
    return new ItemFilter(conditions, Set.of());
  }

  private static String names(ItemColumns columns) {
    return String.join(", ", columns.features().stream().map(Feature::name).toList());
  }

  /** One field of a request's filter. Confined to one thread. */
  private record OneCondition(JsonFields fields, String name, JsonNode value) {

    void read(int feature, Feature declared, List<Condition> conditions) {
      if (declared instanceof Feature.Number) {
        readNumber(feature, conditions);
      } else if (declared instanceof Feature.Flag) {
        if (value.isBoolean()) {
          conditions.add(new Condition.Is(feature, value.booleanValue()));
        } else {
          refuse("must be true or false");
        }
      } else if (declared instanceof Feature.Vector) {
        fields.refuse(name, "is a vector, on which there are no conditions");
      } else {
        readTexts(feature, conditions);
      }
    }

    private void readNumber(int feature, List<Condition> conditions) {
      if (value.isNumber() && Double.isFinite(value.doubleValue())) {
        float exact = (float) value.doubleValue();
        conditions.add(new Condition.Between(feature, exact, exact));
        return;
      }
      if (!value.isObject() || value.isEmpty()) {
        refuse("must be a number, or an object with min, max or both");
        return;
      }
      JsonFields bounds = fields.object(name).only(Set.of("min", "max"));
      double min = bound(bounds, "min", Double.NEGATIVE_INFINITY);
      double max = bound(bounds, "max", Double.POSITIVE_INFINITY);
      if (min > max) {
        bounds.refuse("min", "is above max; no number is between them");
      }
      conditions.add(new Condition.Between(feature, min, max));
    }

    private static double bound(JsonFields bounds, String field, double otherwise) {
      JsonNode bound = bounds.get(field);
      if (bound.isMissingNode()) {
        return otherwise;
      }
      if (!bound.isNumber() || !Double.isFinite(bound.doubleValue())) {
        bounds.refuse(field, "is " + JsonFields.found(bound) + ", must be a finite number");
        return otherwise;
      }
      // As items have it: 0.1 is met by an item of 0.1, which is a little more in 32 bits.
      return (float) bound.doubleValue();
    }

    private void readTexts(int feature, List<Condition> conditions) {
      if (value.isTextual()) {
        conditions.add(new Condition.OneOf(feature, List.of(value.textValue())));
        return;
      }
      JsonNode among = value.path("in");
      if (!value.isObject() || !among.isArray() || value.size() != 1) {
        refuse("must be a text, or an object with an array of texts in its only field, in");
        return;
      }
      if (among.isEmpty() || among.size() > MOST_TEXTS) {
        refuse("with %d texts, must have 1 to %d".formatted(among.size(), MOST_TEXTS));
        return;
      }
      List<String> texts = new ArrayList<>(among.size());
      for (int i = 0; i < among.size(); i++) {
        if (among.get(i).isTextual()) {
          texts.add(among.get(i).textValue());
        } else {
          fields.refuse(
              name + "/in/" + i, "is " + JsonFields.found(among.get(i)) + ", must be a text");
        }
      }
      conditions.add(new Condition.OneOf(feature, texts));
    }

    private void refuse(String right) {
      fields.refuse(name, "is " + JsonFields.found(value) + ", " + right);
    }
  }
}
