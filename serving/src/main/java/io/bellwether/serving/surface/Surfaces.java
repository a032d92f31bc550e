package io.bellwether.serving.surface;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All declared surfaces by name. Immutable and thread-safe. */
@Singleton
public final class Surfaces {

  private final SortedMap<String, DeclaredSurface> byName;

  @Inject
  Surfaces(ServingConfig config) {
    this(read(config.surfaces()));
  }

  public Surfaces(List<Surface> surfaces) {
    SortedMap<String, DeclaredSurface> map = new TreeMap<>();
    surfaces.forEach(surface -> map.put(surface.name(), DeclaredSurface.of(surface)));
    byName = Collections.unmodifiableSortedMap(map);
  }

  /** All surfaces in the order of their names. */
  public Collection<DeclaredSurface> all() {
    return byName.values();
  }

  /** The surface of this name. */
  public Optional<DeclaredSurface> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * The surface that a request's path names.
   *
   * @throws ProblemException 404 where it is not declared
   */
  public DeclaredSurface require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                ProblemException.of(
                    Slug.NOT_FOUND, "No surface is named '" + name + "'; " + known()));
  }

  /** The known names in one phrase, for refusals. */
  public String known() {
    return byName.isEmpty() ? "none is declared" : "declared are " + String.join(", ", names());
  }

  private Collection<String> names() {
    return byName.keySet();
  }

  private static List<Surface> read(Path folder) {
    try {
      return new SurfaceReader().readFolder(folder);
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot read the surface files of "
              + folder.toAbsolutePath()
              + " (bellwether.surfaces): "
              + e,
          e);
    }
  }
}
