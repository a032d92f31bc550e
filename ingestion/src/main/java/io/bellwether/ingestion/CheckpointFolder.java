package io.bellwether.ingestion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    try {
      List<Path> candidates = new ArrayList<>();
      for (Path entry : entries(root)) {
        candidates.add(entry);
        if (Files.isDirectory(entry)) {
          candidates.addAll(entries(entry));
        }
      }
      return candidates.stream()
          .filter(c -> Files.exists(c.resolve(METADATA)))
          .max(Comparator.comparing(CheckpointFolder::completed).thenComparing(c -> c));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for checkpoints in " + root, e);
    }
  }

  /**
   * Deletes what is older: Flink takes over the checkpoint that it continues from, and knows
   * nothing of the others.
   */
  void keepOnly(Path newest) {
    try {
      for (Path entry : entries(root)) {
        if (!newest.startsWith(entry)) {
          delete(entry);
        } else if (!newest.equals(entry)) {
          for (Path checkpoint : entries(entry)) {
            boolean older = checkpoint.getFileName().toString().startsWith("chk-");
            if (older && !newest.equals(checkpoint)) {
              delete(checkpoint);
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete old checkpoints in " + root, e);
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static Instant completed(Path checkpoint) {
    try {
      return Files.getLastModifiedTime(checkpoint.resolve(METADATA)).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the time of " + checkpoint, e);
    }
  }
}
