package io.bellwether.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A folder of scripts with the packages that its {@code package.json} asks for, from the registry
 * that npm is set up with. Tests that need it are skipped where there is no node, or no registry.
 *
 * @param folder under {@code target}
 */
record NodeProject(Path folder) {

  private static final int PATIENCE_SECONDS = 120;
  private static final List<String> INSTALL =
      List.of(
          "npm",
          "install",
          "--no-package-lock",
          "--no-audit",
          "--no-fund",
          "--ignore-scripts",
          "--prefer-offline",
          "--loglevel=error");

  /** The files of these folders in one, with their packages installed. */
  static NodeProject of(String name, Path... sources) throws Exception {
    Path folder = Files.createDirectories(Path.of("target", name));
    for (Path source : sources) {
      try (Stream<Path> files = Files.list(source)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    NodeProject project = new NodeProject(folder);
    File said = folder.resolve("npm.log").toFile();
    int status = project.run(INSTALL, said);
    if (status != 0) {
      abort("npm cannot install: " + Files.readString(said.toPath()));
    }
    return project;
  }

  /** What a script writes. */
  String node(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("node", script));
    command.addAll(List.of(arguments));
    File said = folder.resolve("node.log").toFile();
    int status = run(command, said);
    String text = Files.readString(said.toPath(), StandardCharsets.UTF_8);
    assertEquals(0, status, text);
    return text.lines().reduce((earlier, last) -> last).orElse("");
  }

  private int run(List<String> command, File output) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output)
              .start();
    } catch (IOException e) {
      return abort("there is no " + command.get(0) + " here: " + e.getMessage());
    }
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(command + " did not end in " + PATIENCE_SECONDS + " s");
    }
    return process.exitValue();
  }
}
