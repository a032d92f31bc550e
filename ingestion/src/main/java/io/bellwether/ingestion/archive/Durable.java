package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;

/** Files that are there as a whole or not at all, also after the power was lost. */
final class Durable {

  private Durable() {}

  /** Gives a file these contents at once. */
  static void write(Path file, byte[] contents) throws IOException {
    Path hidden = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
    Files.write(hidden, contents);
    move(hidden, file);
  }

  /** Gives a file that was written under another name in the same folder its own. */
  static void move(Path hidden, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(hidden, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(hidden, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  /** What was created, renamed or removed in a folder stays so after the power was lost. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
