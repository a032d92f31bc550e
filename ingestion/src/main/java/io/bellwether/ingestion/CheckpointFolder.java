package io.bellwether.ingestion;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;

/**
 * Where the streams process keeps what it can continue from: {@code JOB/chk-N} and, after an
 * orderly stop, {@code savepoint-JOB-X}. Complete is what has a {@code _metadata} file. The number
 * in that file, which goes on from job to job, decides what is newer; no clock does.
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
          .max(Comparator.comparingLong(CheckpointFolder::number));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for checkpoints in " + root, e);
    }
  }

  /**
   * What is here beside the newest: Flink takes over the checkpoint that it continues from, and
   * knows nothing of the others. An incremental one goes on using files of earlier jobs, and so do
   * those that follow it; what it names stays.
   */
  List<Path> leftovers(Path newest) {
    List<Path> leftovers = new ArrayList<>();
    try {
      // Paths stand in it as text. What has a name by chance stays until the next start.
      String metadata = Files.readString(newest.resolve(METADATA), StandardCharsets.ISO_8859_1);
      for (Path entry : entries(root)) {
        if (!newest.startsWith(entry)) {
          if (!metadata.contains(entry.getFileName().toString())) {
            leftovers.add(entry);
          }
        } else if (!newest.equals(entry)) {
          entries(entry).stream()
              .filter(c -> c.getFileName().toString().startsWith("chk-") && !newest.equals(c))
              .forEach(leftovers::add);
        }
      }
      return leftovers;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look for checkpoints in " + root, e);
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  /** Deletes a checkpoint, or all checkpoints of a job. */
  static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete old checkpoints in " + folder, e);
    }
  }

  private static long number(Path checkpoint) {
    try (DataInputStream metadata =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(checkpoint.resolve(METADATA))))) {
      return Checkpoints.loadCheckpointMetadata(
              metadata, CheckpointFolder.class.getClassLoader(), checkpoint.toString())
          .getCheckpointId();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the checkpoint in "
              + checkpoint
              + " is damaged; without that folder the start continues from the one before, and"
              + " writes once more what was written since",
          e);
    }
  }
}
