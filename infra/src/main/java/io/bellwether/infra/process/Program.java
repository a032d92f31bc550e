package io.bellwether.infra.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What to run as a child: immutable.
 *
 * @param name short and unique in its group; its log is {@code NAME.log}
 * @param command the executable and its arguments
 * @param environment variables in addition to ours
 * @param folder working folder
 */
public record Program(
    String name, List<String> command, Map<String, String> environment, Path folder) {

  public Program {
    if (!name.matches("[a-z][a-z0-9-]*")) {
      throw new IllegalArgumentException("Not a program name: " + name);
    }
    if (command.isEmpty()) {
      throw new IllegalArgumentException("No command for " + name);
    }
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
