package io.bellwether.serving.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the fields of one JSON object and notes what is wrong with them. A field that is null reads
 * as missing. A mistake gives a stand-in value, so that all mistakes of a request are found at
 * once; whoever reads must look at {@link #violations} before using any value. Confined to one
 * thread.
 */
public final class JsonFields {

  /** Ids of decisions, outcomes and resources: they stand in paths, and {@code :} starts a verb. */
  private static final Pattern RESOURCE_ID = Pattern.compile("[A-Za-z0-9._~-]{1,256}");

  /** What {@link #isResourceId} asks for. */
  public static final String RESOURCE_ID_WORDS = "1 to 256 letters, digits, '.', '_', '~' or '-'";

  private final JsonNode node;
  private final String pointer;
  private final List<Violation> violations;

  private JsonFields(JsonNode node, String pointer, List<Violation> violations) {
    this.node = node;
    this.pointer = pointer;
    this.violations = violations;
  }

  /** The fields of a request's outermost object. */
  public static JsonFields ofRequest(JsonNode body) {
    return of(body, "#", new ArrayList<>());
  }

  /** The fields of the object at a pointer; anything else is a violation and reads as empty. */
  public static JsonFields of(JsonNode node, String pointer, List<Violation> violations) {
    if (node.isObject()) {
      return new JsonFields(node, pointer, violations);
    }
    violations.add(invalid(pointer, "is " + found(node) + ", must be an object"));
    return new JsonFields(MissingNode.getInstance(), pointer, violations);
  }

  /** Everything that is wrong so far. */
  public List<Violation> violations() {
    return violations;
  }

  /** Where a field of this object stands. */
  public String pointer(String field) {
    return pointer + "/" + field;
  }

  /** A name that a caller chose, as one part of a JSON pointer. */
  public static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** Notes every field that is not one of these. */
  public JsonFields only(Set<String> known) {
    Iterator<String> names = node.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!known.contains(name)) {
        violations.add(
            new Violation(
                Slug.UNKNOWN_FIELD.text(),
                pointer(escaped(name)),
                "is not known; known are " + String.join(", ", known.stream().sorted().toList())));
      }
    }
    return this;
  }

  /** Notes each of these fields as one that a later version will know. */
  public JsonFields notYet(String... fields) {
    for (String field : fields) {
      if (has(field)) {
        refuse(field, "is not supported by this version; leave it out");
      }
    }
    return this;
  }

  /** Notes a mistake in a field; where there is no object, that alone is the mistake. */
  public void refuse(String field, String detail) {
    if (node.isObject()) {
      violations.add(invalid(pointer(field), detail));
    }
  }

  /** Refuses the request if anything is wrong so far. */
  public void check() {
    ProblemException.throwIfAny(violations);
  }

  /** Whether the field is there and not null. */
  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  /** The field's value, or a missing node. */
  public JsonNode get(String field) {
    JsonNode value = node.path(field);
    return value.isNull() ? MissingNode.getInstance() : value;
  }

  /** The object in a field, or an empty one. */
  public JsonFields object(String field) {
    return has(field)
        ? of(get(field), pointer(field), violations)
        : new JsonFields(MissingNode.getInstance(), pointer(field), violations);
  }

  /** The text of a required field. */
  public String requiredText(String field) {
    if (!has(field)) {
      refuse(field, "is missing, must be a text");
      return "";
    }
    return text(field).orElse("");
  }

  /** The text of a field. */
  public Optional<String> text(String field) {
    JsonNode value = get(field);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      refuse(field, "is " + found(value) + ", must be a text");
      return Optional.empty();
    }
    return Optional.of(value.textValue());
  }

  /** An id that we make or that stands in a path. */
  public Optional<String> resourceId(String field) {
    Optional<String> id = text(field);
    if (id.isPresent() && !isResourceId(id.get())) {
      refuse(field, "is " + found(get(field)) + ", must be " + RESOURCE_ID_WORDS);
      return Optional.empty();
    }
    return id;
  }

  /** Whether a text can stand in a path. */
  public static boolean isResourceId(String id) {
    return RESOURCE_ID.matcher(id).matches();
  }

  /** An id of a caller's own: any text that is not blank, kept byte for byte. */
  public Optional<String> foreignId(String field) {
    Optional<String> id = text(field);
    if (id.isEmpty() || isForeignId(id.get())) {
      return id;
    }
    refuse(
        field,
        "is "
            + found(get(field))
            + ", must be a text that is not blank, valid Unicode, at most "
            + Limits.STANDARD.idBytes()
            + " bytes in UTF-8");
    return Optional.empty();
  }

  /** A required {@link #foreignId}. */
  public String requiredForeignId(String field) {
    if (!has(field)) {
      refuse(field, "is missing, must be a text that is not blank");
      return "";
    }
    return foreignId(field).orElse("");
  }

  /** Whether a text can be a subject's or an item's id. */
  public static boolean isForeignId(String id) {
    return !id.isBlank()
        && id.length() <= Limits.STANDARD.idBytes()
        && utf8Length(id) <= Limits.STANDARD.idBytes();
  }

  /** Bytes of a text in UTF-8; more than anything where it is no valid Unicode. */
  private static int utf8Length(String text) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next < 0x80) {
        length++;
      } else if (next < 0x800) {
        length += 2;
      } else if (!Character.isSurrogate(next)) {
        length += 3;
      } else if (Character.isHighSurrogate(next)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        length += 4;
        i++;
      } else {
        return Integer.MAX_VALUE;
      }
    }
    return length;
  }

  /** A whole number in a range, or empty where the field is missing. */
  public Optional<Integer> integer(String field, int min, int max) {
    JsonNode value = get(field);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber()) {
      refuse(field, "is " + found(value) + ", must be a whole number");
      return Optional.empty();
    }
    if (!value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
      violations.add(
          new Violation(
              Slug.VALUE_OUT_OF_RANGE.text(),
              pointer(field),
              "is %s, must be from %d to %d".formatted(found(value), min, max)));
      return Optional.empty();
    }
    return Optional.of(value.intValue());
  }

  /** A truth value; false where the field is missing. */
  public boolean flag(String field) {
    JsonNode value = get(field);
    if (!value.isMissingNode() && !value.isBoolean()) {
      refuse(field, "is " + found(value) + ", must be true or false");
    }
    return value.booleanValue();
  }

  /** What was found, short enough to be shown. */
  public static String found(JsonNode node) {
    if (node.isMissingNode()) {
      return "missing";
    }
    if (node.isArray()) {
      return "an array of " + node.size();
    }
    if (node.isObject()) {
      return "an object";
    }
    String text = node.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  private static Violation invalid(String pointer, String detail) {
    return new Violation(Slug.INVALID_REQUEST.text(), pointer, detail);
  }
}
