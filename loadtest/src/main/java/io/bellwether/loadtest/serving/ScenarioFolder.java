package io.bellwether.loadtest.serving;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A folder of scenario files, {@code *.yaml}. */
final class ScenarioFolder {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .build();

  private ScenarioFolder() {}

  /**
   * All scenarios in the order of their files' names.
   *
   * @throws IllegalArgumentException names the file and what is wrong in it
   */
  static List<Scenario> read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> paths = Files.list(folder)) {
      files = paths.filter(path -> path.toString().endsWith(".yaml")).sorted().toList();
    }
    List<Scenario> scenarios = new ArrayList<>();
    for (Path file : files) {
      scenarios.add(one(file));
    }
    return scenarios;
  }

  private static Scenario one(Path file) throws IOException {
    try {
      Object yaml =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
      return JSON.convertValue(yaml, Scenario.class);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
