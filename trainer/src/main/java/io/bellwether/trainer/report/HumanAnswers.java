package io.bellwether.trainer.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * What people have written for the Reward Reports of a surface: a YAML file with a text per {@link
 * HumanField}. Immutable.
 *
 * @param texts none of them blank
 */
public record HumanAnswers(Map<HumanField, String> texts) {

  /** Nobody has written anything yet. */
  public static final HumanAnswers NONE = new HumanAnswers(Map.of());

  public HumanAnswers {
    EnumMap<HumanField, String> ordered = new EnumMap<>(HumanField.class);
    ordered.putAll(texts);
    texts = Collections.unmodifiableMap(ordered);
  }

  /** Where the answers of a surface stand in a data folder. */
  public static Path file(Path data, String surface) {
    return data.resolve("reward-reports").resolve(surface + ".yaml");
  }

  /**
   * Reads a file of answers; {@link #NONE} where there is none.
   *
   * @throws IllegalArgumentException where it holds something else, saying what and where
   */
  public static HumanAnswers read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return NONE;
    }
    Object content;
    try {
      content =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(file + " is no YAML: " + e.getMessage(), e);
    }
    if (content == null) {
      return NONE;
    }
    if (!(content instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(file + " holds no fields; expected some of " + keys());
    }
    Map<HumanField, String> texts = new EnumMap<>(HumanField.class);
    map.forEach(
        (key, value) -> {
          HumanField field =
              Stream.of(HumanField.values())
                  .filter(each -> each.key().equals(key))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "%s: '%s' is no field, expected one of %s"
                                  .formatted(file, key, keys())));
          if (value != null && !value.toString().isBlank()) {
            texts.put(field, value.toString().strip());
          }
        });
    return new HumanAnswers(texts);
  }

  /** What somebody wrote; empty where nobody did. */
  Optional<String> of(HumanField field) {
    return Optional.ofNullable(texts.get(field));
  }

  /** The fields that nobody has written yet. */
  public List<HumanField> missing() {
    return Stream.of(HumanField.values()).filter(field -> !texts.containsKey(field)).toList();
  }

  /** A file that asks for everything. */
  public static String template() {
    StringBuilder text = new StringBuilder();
    for (HumanField field : HumanField.values()) {
      text.append("# ").append(field.question()).append('\n');
      text.append(field.key()).append(": \"\"\n");
    }
    return text.toString();
  }

  private static List<String> keys() {
    return Stream.of(HumanField.values()).map(HumanField::key).toList();
  }
}
