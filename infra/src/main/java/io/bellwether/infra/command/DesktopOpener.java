package io.bellwether.infra.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Shows a file to whoever sits at this machine, with what their desktop opens files with.
 *
 * @param environment in which it is looked for
 */
record DesktopOpener(Map<String, String> environment) {
  private static final List<String> PROGRAMS = List.of("xdg-open", "open");

  /** Whether a desktop took it; without one, nothing happens. */
  boolean open(Path file) {
    Optional<Path> program = program();
    if (program.isEmpty()) {
      return false;
    }
    try {
      new ProcessBuilder(program.get().toString(), file.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
      // The path was printed; whoever reads it can open the file by hand.
      return false;
    }
  }

  private Optional<Path> program() {
    boolean screen =
        Stream.of("DISPLAY", "WAYLAND_DISPLAY").anyMatch(environment::containsKey)
            || System.getProperty("os.name", "").startsWith("Mac");
    if (!screen) {
      return Optional.empty();
    }
    return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> PROGRAMS.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
