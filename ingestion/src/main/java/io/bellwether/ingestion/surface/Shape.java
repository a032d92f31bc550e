package io.bellwether.ingestion.surface;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a value of a YAML file that people write may be. One tree of shapes is the source of both
 * the validation of a file and the JSON Schema that editors use. Immutable.
 */
public sealed interface Shape {

  /** Adds what is wrong with {@code value}. */
  void check(Located value, List<Problem> problems);

  /** This shape as a JSON Schema (2020-12), as plain maps and lists. */
  Map<String, Object> jsonSchema();

  /** A text that matches {@code pattern} as a whole. */
  record Text(String pattern, String right) implements Shape {
    @Override
    public void check(Located value, List<Problem> problems) {
      if (!value.isText() || !Pattern.matches(pattern, value.text())) {
        problems.add(new Problem(value.line(), value.path(), value.found(), right));
      }
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return ordered("type", List.of("string", "number"), "pattern", "^(" + pattern + ")$");
    }
  }

  /** A length of time such as {@code 30m}, from {@code min} to {@code max}. */
  record Length(String min, String max) implements Shape {

    private static final String PATTERN = "[0-9]{1,9}(ms|s|m|h|d)";

    @Override
    public void check(Located value, List<Problem> problems) {
      if (!value.isText() || !Pattern.matches(PATTERN, value.text()) || !fits(value.text())) {
        String right =
            "a length from " + min + " to " + max + ", such as 25ms, 30s, 15m, 24h or 7d";
        problems.add(new Problem(value.line(), value.path(), value.found(), right));
      }
    }

    private boolean fits(String text) {
      Duration length = SurfaceFile.duration(text);
      return length.compareTo(SurfaceFile.duration(min)) >= 0
          && length.compareTo(SurfaceFile.duration(max)) <= 0;
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return ordered("type", List.of("string", "number"), "pattern", "^(" + PATTERN + ")$");
    }
  }

  /** One of some words. */
  record Choice(List<String> words) implements Shape {
    @Override
    public void check(Located value, List<Problem> problems) {
      if (!value.isText() || !words.contains(value.text())) {
        problems.add(
            new Problem(
                value.line(), value.path(), value.found(), "one of " + String.join(", ", words)));
      }
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return ordered("enum", words);
    }
  }

  /** A finite number from {@code min} to {@code max}. */
  record Number(double min, double max, boolean whole) implements Shape {

    /** As JSON and YAML have it; Java would also take {@code 23f} and {@code 0x1p3}. */
    private static final Pattern DECIMAL =
        Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

    @Override
    public void check(Located value, List<Problem> problems) {
      if (!value.isText() || !fits(value.text())) {
        problems.add(new Problem(value.line(), value.path(), value.found(), right()));
      }
    }

    private boolean fits(String text) {
      if (!DECIMAL.matcher(text).matches()) {
        return false;
      }
      double x = Double.parseDouble(text);
      return x >= min && x <= max && (!whole || x == Math.rint(x));
    }

    private String right() {
      String kind = whole ? "a whole number" : "a number";
      if (max == Double.MAX_VALUE) {
        return min == -Double.MAX_VALUE ? kind : kind + " of at least " + plain(min);
      }
      return kind + " from " + plain(min) + " to " + plain(max);
    }

    private static String plain(double x) {
      return x == Math.rint(x) && Math.abs(x) < 1e15 ? Long.toString((long) x) : Double.toString(x);
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = ordered("type", whole ? "integer" : "number");
      if (min != -Double.MAX_VALUE) {
        schema.put("minimum", min);
      }
      if (max != Double.MAX_VALUE) {
        schema.put("maximum", max);
      }
      return schema;
    }
  }

  /** A list of values of one shape. */
  record ListOf(Shape element, int min, int max) implements Shape {
    @Override
    public void check(Located value, List<Problem> problems) {
      if (!value.isList() || value.elements().size() < min || value.elements().size() > max) {
        String right =
            "a list of " + min + " to " + max + ": [a, b], or lines that start with '- '";
        problems.add(new Problem(value.line(), value.path(), value.found(), right));
        return;
      }
      value.elements().forEach(e -> element.check(e, problems));
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return ordered(
          "type", "array", "items", element.jsonSchema(), "minItems", min, "maxItems", max);
    }
  }

  /** A named part of a {@link Fields}. */
  record Field(String name, Shape shape, boolean required, String says) {}

  /** A map with known keys. */
  record Fields(List<Field> fields) implements Shape {
    public Fields(Field... fields) {
      this(List.of(fields));
    }

    @Override
    public void check(Located value, List<Problem> problems) {
      String names = fields.stream().map(Field::name).collect(Collectors.joining(", "));
      if (!value.isMap()) {
        problems.add(new Problem(value.line(), place(value), value.found(), "a map with " + names));
        return;
      }
      checkKeys(value, names, problems);
      for (Field field : fields) {
        Optional<Located> part = value.get(field.name());
        if (part.isPresent()) {
          field.shape().check(part.get(), problems);
        } else if (field.required()) {
          problems.add(
              new Problem(
                  value.line(), place(value), "no " + field.name(), "given: " + field.says()));
        }
      }
    }

    private void checkKeys(Located value, String names, List<Problem> problems) {
      Set<String> seen = new HashSet<>();
      for (Located key : value.keys()) {
        String name = key.isText() ? key.text() : key.found();
        if (fields.stream().noneMatch(f -> f.name().equals(name))) {
          problems.add(
              new Problem(
                  key.line(), place(value), "unknown field '" + name + "'", "one of " + names));
        } else if (!seen.add(name)) {
          problems.add(new Problem(key.line(), place(value), "'" + name + "' twice", "given once"));
        }
      }
    }

    private static String place(Located value) {
      return value.path().isEmpty() ? "(file)" : value.path();
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> properties = new LinkedHashMap<>();
      for (Field field : fields) {
        Map<String, Object> property = new LinkedHashMap<>();
        property.put("description", field.says());
        property.putAll(field.shape().jsonSchema());
        properties.put(field.name(), property);
      }
      return ordered(
          "type",
          "object",
          "properties",
          properties,
          "required",
          fields.stream().filter(Field::required).map(Field::name).toList(),
          "additionalProperties",
          false);
    }
  }

  /** A map whose fields depend on the word that stands at {@code key}. */
  record Variants(String key, String says, Map<String, Fields> byWord) implements Shape {
    @Override
    public void check(Located value, List<Problem> problems) {
      Optional<Located> word = value.isMap() ? value.get(key) : Optional.empty();
      if (word.isEmpty()) {
        problems.add(
            value.isMap()
                ? new Problem(
                    value.line(),
                    value.path(),
                    "no " + key,
                    "given: one of " + String.join(", ", byWord.keySet()))
                : new Problem(
                    value.line(),
                    value.path(),
                    value.found(),
                    "a map such as { name: a, "
                        + key
                        + ": "
                        + byWord.keySet().iterator().next()
                        + " }"));
        return;
      }
      new Choice(List.copyOf(byWord.keySet())).check(word.get(), problems);
      Fields fields = word.get().isText() ? byWord.get(word.get().text()) : null;
      if (fields != null) {
        withKey(word.get().text(), fields).check(value, problems);
      }
    }

    private Fields withKey(String word, Fields fields) {
      List<Field> all = new ArrayList<>(fields.fields());
      all.add(new Field(key, new Choice(List.of(word)), true, says));
      return new Fields(all);
    }

    @Override
    public Map<String, Object> jsonSchema() {
      List<Object> options = new ArrayList<>();
      byWord.forEach((word, fields) -> options.add(withKey(word, fields).jsonSchema()));
      return ordered("oneOf", options);
    }
  }

  private static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
