package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclaredSurfacesTest {

  private @TempDir Path folder;

  @Test
  void theSurfacesOfTheFolderAreRead() throws Exception {
    Files.writeString(folder.resolve("clips.yaml"), TestEvents.SURFACE_YAML);

    assertEquals("clips", new DeclaredSurfaces(folder.toString()).get().get(0).name());
  }

  @Test
  void aFolderWithoutASurfaceIsRefusedForEveryEventWouldBeADeadLetter() {
    DeclaredSurfaces surfaces = new DeclaredSurfaces(folder.toString());

    String message =
        String.valueOf(assertThrows(IllegalStateException.class, surfaces::get).getMessage());
    assertTrue(message.contains(folder.toString()), message);
  }
}
