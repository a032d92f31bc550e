package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.TransitionArchive;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which archive, and which of its surfaces, a verb works on. */
final class ArchiveOption {
  @Mixin private final DataOption data = new DataOption();

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "Archive of logged transitions (default: archive in the data folder).")
  private @Nullable Path log;

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "Only this surface; may be given several times (default: all).")
  private List<String> surfaces = List.of();

  /** The archive's folder. */
  Path root() {
    Path root = (log == null ? data.folder().resolve("archive") : log).toAbsolutePath().normalize();
    if (!Files.isDirectory(root)) {
      throw CommandFailed.wrongInput(
          "There is no archive in " + root + ".",
          "Name one with --log; imports stand in imports of the data folder.");
    }
    return root;
  }

  /** The surfaces that were named, each of which the archive has; empty for all. */
  List<String> surfaces(Path root) {
    List<String> all = new TransitionArchive(root).surfaces();
    for (String surface : surfaces) {
      if (!all.contains(surface)) {
        throw CommandFailed.wrongInput(
            "The archive in " + root + " has no surface " + surface + ".",
            "It has " + (all.isEmpty() ? "none" : String.join(", ", all)) + ".");
      }
    }
    return surfaces;
  }
}
