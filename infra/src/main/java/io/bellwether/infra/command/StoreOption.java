package io.bellwether.infra.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --store}, the same for every verb that works on policy versions. */
final class StoreOption {
  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "Folder of the policy versions (default: store in the data folder).")
  private @Nullable Path folder;

  /** The folder, given the data folder. */
  Path folder(Path data) {
    return (folder == null ? data.resolve("store") : folder).toAbsolutePath().normalize();
  }
}
