package io.bellwether.infra.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option {@code --data}, the same for every verb that works on kept data. */
final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "Folder of everything that is kept (default: ${DEFAULT-VALUE}).")
  private Path folder = Path.of("data");

  Path folder() {
    return folder.toAbsolutePath().normalize();
  }
}
