package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the results of a measurement go, as options that all measurements share. */
final class BenchResults {
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "data/bench",
      description = "Folder for the results (default: ${DEFAULT-VALUE}).")
  private Path folder = Path.of("data/bench");

  Path folder() {
    return folder;
  }

  /** For what is needed while it runs; below the folder of the results, which is made. */
  WorkFolder work() throws IOException {
    return WorkFolder.below(folder.toAbsolutePath());
  }

  /**
   * Writes both files and says what was shown.
   *
   * @param name of the files, without an ending
   * @return the exit code
   */
  int write(String name, Measurement result, JsonNode figures, String page, Terminal terminal) {
    Path tables = folder.resolve(name + ".md");
    JsonOption.write(folder.resolve(name + ".json"), figures);
    WholeFile.write(tables, page.getBytes(StandardCharsets.UTF_8));
    json.write(figures);
    result.requirements().forEach(each -> terminal.print(line(each)));
    terminal.print("Tables: " + tables);
    return result.isRefuted() ? ExitCode.NO : ExitCode.DONE;
  }

  private static String line(Requirement each) {
    return "%-10s %s: %s (required: %s)"
        .formatted(each.status().words() + ",", each.name(), each.observed(), each.required());
  }
}
