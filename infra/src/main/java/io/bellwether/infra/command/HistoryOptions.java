package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Of which surface and which archive the histories are. */
final class HistoryOptions {
  @Mixin private final DataOption data = new DataOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();

  @Option(names = "--surface", paramLabel = "NAME", required = true, description = "The surface.")
  private String surface = "";

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "Archive of logged transitions (default: archive in the data folder).")
  private @Nullable Path log;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "30d",
      description =
          "How long histories of subjects are kept that do not come back, as the job was told"
              + " (default: ${DEFAULT-VALUE}).")
  private String ttl = "";

  Path data() {
    return data.folder();
  }

  /** The archive's folder. */
  Path archive() {
    Path root = (log == null ? data.folder().resolve("archive") : log).toAbsolutePath().normalize();
    if (!Files.isDirectory(root)) {
      throw CommandFailed.wrongInput(
          "There is no archive in " + root + ".", "Name one with --log.");
    }
    return root;
  }

  Duration ttl() {
    return Age.of("--ttl", ttl);
  }

  /** The surface, which has histories. */
  Surface surface(Installation installation) throws IOException, InvalidSurfaceException {
    Surface found = surfaces.named(surface, data.folder(), installation);
    if (found.history().last() == 0) {
      throw CommandFailed.wrongInput(
          "Surface " + surface + " keeps no histories.", "Its declaration has no history: part.");
    }
    return found;
  }
}
