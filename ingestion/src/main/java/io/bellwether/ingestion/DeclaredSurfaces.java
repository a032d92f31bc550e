package io.bellwether.ingestion;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * The surfaces of a folder, for operators that read them where they run.
 *
 * @param folder its path, as text because a path cannot be serialized
 */
record DeclaredSurfaces(String folder) implements SerializableSupplier<List<Surface>> {

  @Override
  public List<Surface> get() {
    try {
      List<Surface> surfaces = new SurfaceReader().readFolder(Path.of(folder));
      if (surfaces.isEmpty()) {
        throw new IllegalStateException(
            "no surface is declared in " + folder + ": expected *.yaml files");
      }
      return surfaces;
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read surfaces from " + folder, e);
    }
  }
}
