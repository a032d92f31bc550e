package io.bellwether.ingestion.backfill;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * The surfaces of several folders, for operators that read them where they run; where a name is
 * declared twice, the first one.
 *
 * @param folders as text, because a path cannot be serialized
 */
public record SurfaceFolders(ArrayList<String> folders)
    implements SerializableSupplier<List<Surface>> {

  /** The surfaces of these folders. */
  public static SurfaceFolders of(Collection<Path> folders) {
    ArrayList<String> names = new ArrayList<>();
    folders.stream().distinct().forEach(folder -> names.add(folder.toString()));
    return new SurfaceFolders(names);
  }

  @Override
  public List<Surface> get() {
    Map<String, Surface> surfaces = new LinkedHashMap<>();
    try {
      for (String folder : folders) {
        for (Surface surface : new SurfaceReader().readFolder(Path.of(folder))) {
          surfaces.putIfAbsent(surface.name(), surface);
        }
      }
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read surfaces from " + folders, e);
    }
    return List.copyOf(surfaces.values());
  }
}
