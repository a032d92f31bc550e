package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonFields;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Reads numbers, words, times and lists from the fields of a declaration, and notes what is wrong
 * with them. Confined to one thread.
 */
record TypedFields(JsonFields fields) {

  /** Longer ones are slips, and in nanoseconds would not fit into a number. */
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** The object at a pointer, of which these fields are known. */
  static TypedFields at(
      JsonNode node, String pointer, List<Violation> violations, Set<String> known) {
    return new TypedFields(JsonFields.of(node, pointer, violations).only(known));
  }

  /** The object in a field; an empty one where it is missing. */
  TypedFields object(String field, Set<String> known) {
    return new TypedFields(fields.object(field).only(known));
  }

  /** The objects of an array; none where the field is missing. */
  List<TypedFields> objects(String field, Set<String> known) {
    List<TypedFields> objects = new ArrayList<>();
    List<JsonNode> nodes = array(field, "objects");
    for (int i = 0; i < nodes.size(); i++) {
      objects.add(at(nodes.get(i), fields.pointer(field + "/" + i), fields.violations(), known));
    }
    return objects;
  }

  /** The elements of an array; none where the field is missing. */
  List<JsonNode> array(String field, String of) {
    JsonNode list = fields.get(field);
    List<JsonNode> elements = new ArrayList<>();
    if (list.isArray()) {
      list.forEach(elements::add);
    } else if (!list.isMissingNode()) {
      fields.refuse(field, "is " + JsonFields.found(list) + ", must be an array of " + of);
    }
    return elements;
  }

  /** One of an enumeration's words. */
  <T extends Enum<T>> T word(String field, Class<T> type, T standard) {
    Optional<String> text = fields.text(field);
    if (text.isEmpty()) {
      return standard;
    }
    T[] words = type.getEnumConstants();
    for (T word : words) {
      if (word.name().equals(text.get())) {
        return word;
      }
    }
    fields.refuse(
        field,
        "is %s, must be one of %s"
            .formatted(
                JsonFields.found(fields.get(field)),
                String.join(", ", Arrays.stream(words).map(Enum::name).toList())));
    return standard;
  }

  /** A whole number from {@code min} on. */
  long count(String field, long min, long standard) {
    JsonNode value = fields.get(field);
    if (value.isMissingNode()) {
      return standard;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < min) {
      outOfRange(field, "a whole number of at least " + min);
      return standard;
    }
    return value.longValue();
  }

  /** A number that a test accepts. */
  OptionalDouble number(String field, Range range) {
    JsonNode value = fields.get(field);
    if (value.isMissingNode()) {
      return OptionalDouble.empty();
    }
    if (!value.isNumber() || !range.holds(value.doubleValue())) {
      outOfRange(field, "a number " + range.words());
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(value.doubleValue());
  }

  /** A range of finite numbers. */
  record Range(double min, boolean minInside, double max, boolean maxInside) {

    /** Between the two, without them. */
    static Range between(double min, double max) {
      return new Range(min, false, max, false);
    }

    /** Between the two, with them. */
    static Range from(double min, double max) {
      return new Range(min, true, max, true);
    }

    /** At least this. */
    static Range atLeast(double min) {
      return new Range(min, true, Double.MAX_VALUE, true);
    }

    boolean holds(double value) {
      return Double.isFinite(value)
          && (minInside ? value >= min : value > min)
          && (maxInside ? value <= max : value < max);
    }

    String words() {
      String low = (minInside ? "of at least " : "above ") + min;
      return max == Double.MAX_VALUE
          ? low
          : low + " and " + (maxInside ? "at most " : "below ") + max;
    }
  }

  /** A length of time, ISO 8601, of at least {@code min} and at most ten years. */
  Duration duration(String field, Duration min, Duration standard) {
    Optional<String> text = fields.text(field);
    if (text.isEmpty()) {
      return standard;
    }
    try {
      Duration duration = Duration.parse(text.get());
      if (duration.compareTo(min) >= 0 && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (DateTimeException e) {
      // Refused below, like one that is too short.
    }
    outOfRange(
        field, "an ISO 8601 duration such as PT2H, at least " + min + " and at most " + LONGEST);
    return standard;
  }

  /** A moment, RFC 3339. */
  Optional<Instant> instant(String field) {
    Optional<String> text = fields.text(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text.get()));
    } catch (DateTimeException e) {
      refuse(field, "a time such as 2026-11-30T12:00:00Z");
      return Optional.empty();
    }
  }

  boolean has(String field) {
    return fields.has(field);
  }

  /** Notes that a field is not what it must be. */
  void refuse(String field, String right) {
    fields.refuse(field, "is " + JsonFields.found(fields.get(field)) + ", must be " + right);
  }

  /**
   * Notes that these fields have no meaning here; a zero has none anywhere, and stands in what was
   * written from an experiment.
   */
  void mustNotHave(String because, String... names) {
    for (String name : names) {
      JsonNode value = fields.get(name);
      boolean zero = value.isNumber() ? value.doubleValue() == 0 : value.asText("").equals("PT0S");
      if (fields.has(name) && !zero) {
        fields.refuse(name, because + "; leave it out");
      }
    }
  }

  private void outOfRange(String field, String right) {
    fields
        .violations()
        .add(
            new Violation(
                Slug.VALUE_OUT_OF_RANGE.text(),
                fields.pointer(field),
                "is " + JsonFields.found(fields.get(field)) + ", must be " + right));
  }
}
