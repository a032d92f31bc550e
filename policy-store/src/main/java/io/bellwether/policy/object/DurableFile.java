package io.bellwether.policy.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that appears under its name whole or not at all, and is on the disk when the call returns:
 * written under a temporary name, flushed, then given its own name in one step.
 */
final class DurableFile {

  private final Path temporaryFolder;

  /** Temporary files go to this folder, on the same file system as all that is written. */
  DurableFile(Path temporaryFolder) {
    this.temporaryFolder = temporaryFolder;
  }

  /** Writes the file, in place of one that may be there. */
  void replace(Path file, byte[] bytes) throws IOException {
    Path temporary = writeTemporary(bytes);
    try {
      createFolder(folderOf(file));
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    flushFolder(folderOf(file));
  }

  /** Writes the file, unless there is one of that name: of any number of callers one wins. */
  boolean create(Path file, byte[] bytes) throws IOException {
    Path temporary = writeTemporary(bytes);
    try {
      createFolder(folderOf(file));
      // A hard link is the one way to create a whole file that fails where the name is taken.
      Files.createLink(file, temporary);
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(temporary);
    }
    flushFolder(folderOf(file));
    return true;
  }

  private Path writeTemporary(byte[] bytes) throws IOException {
    Files.createDirectories(temporaryFolder);
    Path temporary = Files.createTempFile(temporaryFolder, "writing-", ".part");
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
      return temporary;
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /** A folder whose own entry was lost with the power would take its files with it. */
  private static void createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolder(parent);
      Files.createDirectories(folder);
      flushFolder(parent);
    }
  }

  private static void flushFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path folderOf(Path file) {
    Path folder = file.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("a file without a folder: " + file);
    }
    return folder;
  }
}
