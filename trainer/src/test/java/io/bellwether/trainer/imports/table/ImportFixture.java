package io.bellwether.trainer.imports.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.LogImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Imports small files for tests. */
public record ImportFixture(Path folder, Surface surface) {

  /** With the surface of an example. */
  public static ImportFixture of(Path folder, String example) throws Exception {
    Path file = Path.of("../examples/imports").resolve(example + ".yaml");
    return new ImportFixture(folder, new SurfaceReader().read(file));
  }

  /** Writes a file of these lines. */
  public Path file(String name, String... lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, (String.join("\n", lines) + "\n").getBytes(UTF_8));
  }

  public ImportSummary run(ImportSource source) throws IOException {
    return new LogImport(surface, new LogImport.Options(false, false), line -> {})
        .run(source, folder.resolve("imports"));
  }

  /** The transitions of an import. */
  public List<Transition> rows(ImportSummary summary) {
    List<Transition> all = new ArrayList<>();
    try (TransitionArchive.Transitions rows =
        new TransitionArchive(summary.folder().orElseThrow()).read(surface.name())) {
      rows.forEachRemaining(all::add);
    }
    return all;
  }
}
