package io.bellwether.ingestion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the streams process keeps what it can continue from: {@code JOB/chk-N} and, after an
 * orderly stop, {@code savepoint-JOB-X}. Complete is what has a {@code _metadata} file.
 */
record CheckpointFolder(Path root) {

  private static final String METADATA = "_metadata";

  /** The newest complete checkpoint or savepoint; empty on a first start. */
  Optional<Path> newest() {
    if (!Files.isDirectory(root)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(root, 3)) {
      return files
          .filter(f -> f.getFileName().toString().equals(METADATA))
          .max(Comparator.comparing(CheckpointFolder::modified).thenComparing(f -> f))
          .map(Path::getParent);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for checkpoints in " + root, e);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the time of " + file, e);
    }
  }
}
