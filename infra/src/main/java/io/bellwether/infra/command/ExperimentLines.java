package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.StringJoiner;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** An experiment as a line for a terminal, and as a file that people write. */
final class ExperimentLines {
  private static final double PERCENT = 100;

  private ExperimentLines() {}

  /** Its name, where it stands, and how the traffic is shared. */
  static String line(JsonNode state) {
    JsonNode declaration = state.path("declaration");
    JsonNode phase = last(state.path("phases"));
    return String.format(
        Locale.ROOT,
        "%-24s  %-16s  %-12s  %-11s  %s",
        declaration.path("name").asText(),
        declaration.path("surface").asText(),
        declaration.path("kind").asText(),
        state.path("status").asText() + (state.path("paused").asBoolean() ? "*" : ""),
        phase.isMissingNode()
            ? ""
            : "phase %d: %s".formatted(phase.path("number").asInt(), shares(phase)));
  }

  /** The shares of a phase in percent. */
  static String shares(JsonNode phase) {
    StringJoiner shares = new StringJoiner(", ");
    phase
        .path("shares")
        .fields()
        .forEachRemaining(
            share ->
                shares.add(
                    String.format(
                        Locale.ROOT, "%s %s %%", share.getKey(), plain(share.getValue().asInt()))));
    return shares.toString();
  }

  private static String plain(int basisPoints) {
    return basisPoints % 100 == 0
        ? Integer.toString(basisPoints / 100)
        : String.format(Locale.ROOT, "%.2f", basisPoints / PERCENT);
  }

  private static JsonNode last(JsonNode array) {
    return array.path(array.size() - 1);
  }

  /** A declaration in YAML or JSON, which is YAML too. */
  static JsonNode read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandFailed.wrongInput("There is no file " + file + ".", "Name a declaration.");
    }
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
      Object declared =
          new Load(settings).loadFromString(Files.readString(file, StandardCharsets.UTF_8));
      return new ObjectMapper().valueToTree(declared);
    } catch (YamlEngineException e) {
      throw CommandFailed.wrongInput(
          file + " is no YAML: " + e.getMessage(), "Mend the declaration.");
    }
  }

  /** A body that says why. */
  static ObjectNode because(String why) {
    return JsonNodeFactory.instance.objectNode().put("reason", why);
  }
}
