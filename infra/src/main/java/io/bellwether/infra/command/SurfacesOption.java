package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option {@code --surfaces}. Without it, surfaces are looked up where the system that runs on
 * the data folder has them, then in {@code surfaces} of the data folder, then among the examples.
 */
final class SurfacesOption {
  @Option(
      names = "--surfaces",
      paramLabel = "DIR",
      description =
          "Folder of the surface declarations (default: those in use, then those in the data"
              + " folder, then examples/surfaces).")
  private @Nullable Path folder;

  /**
   * A surface and where it was found.
   *
   * @param folder of its file
   */
  record Declared(Surface surface, Path folder) {}

  /** The surface of this name. */
  Surface named(String name, Path data, Installation installation)
      throws IOException, InvalidSurfaceException {
    List<Declared> all = all(data, installation);
    return all.stream()
        .map(Declared::surface)
        .filter(surface -> surface.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailed.wrongInput(
                    "There is no surface " + name + " in " + folders(all) + ".",
                    "`./bellwether surfaces list` shows those that there are; name another folder"
                        + " with --surfaces."));
  }

  /** All surfaces, in the order of their names; where a name is declared twice, the first one. */
  List<Declared> all(Path data, Installation installation)
      throws IOException, InvalidSurfaceException {
    List<Declared> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Path place : places(data, installation)) {
      for (Surface surface : new SurfaceReader().readFolder(place)) {
        if (names.add(surface.name())) {
          all.add(new Declared(surface, place));
        }
      }
    }
    all.sort(Comparator.comparing(declared -> declared.surface().name()));
    return all;
  }

  private List<Path> places(Path data, Installation installation) throws IOException {
    if (folder != null) {
      if (!Files.isDirectory(folder)) {
        throw CommandFailed.wrongInput(
            "There is no folder " + folder.toAbsolutePath() + ".",
            "Name the folder of your surface declarations with --surfaces.");
      }
      return List.of(folder.toAbsolutePath().normalize());
    }
    List<Path> places = new ArrayList<>();
    RunningSystem.on(data).map(system -> Path.of(system.surfaces())).ifPresent(places::add);
    places.add(data.resolve("surfaces"));
    places.add(installation.home().resolve("examples").resolve("surfaces"));
    return places.stream().distinct().filter(Files::isDirectory).toList();
  }

  private static String folders(List<Declared> all) {
    return all.isEmpty()
        ? "any folder"
        : String.join(", ", all.stream().map(each -> each.folder().toString()).distinct().toList());
  }
}
