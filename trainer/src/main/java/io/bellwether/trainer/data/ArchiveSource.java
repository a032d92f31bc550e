package io.bellwether.trainer.data;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.formats.parquet.avro.AvroParquetReaders;

/**
 * All transitions of a surface in an archive: the files that are finished when reading begins.
 *
 * @param root the archive's folder
 * @param surface whose transitions are read
 * @param chosen of the surface's files, the only ones that are read; empty for all
 */
public record ArchiveSource(Path root, String surface, List<Path> chosen)
    implements TransitionSource {

  public ArchiveSource {
    chosen = List.copyOf(chosen);
  }

  /** All files that are finished when reading begins. */
  public ArchiveSource(Path root, String surface) {
    this(root, surface, List.of());
  }

  /** The same with the files that are finished now; at least one. */
  public ArchiveSource listed() throws IOException {
    return new ArchiveSource(root, surface, files());
  }

  @Override
  public Source<Transition, ?, ?> forFlink() throws IOException {
    org.apache.flink.core.fs.Path[] files =
        files().stream()
            .map(file -> new org.apache.flink.core.fs.Path(file.toUri()))
            .toArray(org.apache.flink.core.fs.Path[]::new);
    return FileSource.forRecordStreamFormat(
            AvroParquetReaders.forSpecificRecord(Transition.class), files)
        .build();
  }

  @Override
  public List<TransitionPart> parts() throws IOException {
    List<TransitionPart> parts = new ArrayList<>();
    for (Path file : files()) {
      parts.add(ArchivePart.of(file));
    }
    return List.copyOf(parts);
  }

  @Override
  public void forEach(Consumer<Transition> consumer) throws IOException {
    try (TransitionArchive.Transitions transitions = new TransitionArchive(root).read(files())) {
      transitions.forEachRemaining(consumer);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public String words() {
    return "archive " + root + ", surface " + surface;
  }

  /** At least one. */
  private List<Path> files() throws IOException {
    if (!chosen.isEmpty()) {
      return chosen;
    }
    List<Path> files;
    try {
      files = new TransitionArchive(root).files(surface);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (files.isEmpty()) {
      throw new NoSuchFileException(
          root.toString(), null, "the archive has no transition of surface " + surface);
    }
    return files;
  }
}
