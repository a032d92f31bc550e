package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * That nobody else compacts, erases from or expires an archive. Writers that only add files and
 * readers need no lock. It ends with its process, however that ends.
 */
final class ArchiveLock implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String FILE = ".lock";
  private static final long PAUSE_MILLIS = 50;

  private final FileChannel channel;

  private ArchiveLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Waits for the lock.
   *
   * @throws IOException where another holds it for longer than {@code patience}
   */
  static ArchiveLock take(Path root, Duration patience) throws IOException {
    if (!Files.isDirectory(root)) {
      throw new IOException("there is no archive in " + root);
    }
    FileChannel channel =
        FileChannel.open(root.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      long deadline = System.nanoTime() + patience.toNanos();
      while (!isTaken(channel)) {
        if (System.nanoTime() - deadline >= 0) {
          throw new IOException(
              "the archive in "
                  + root
                  + " is being compacted, erased from or expired by somebody else");
        }
        Thread.sleep(PAUSE_MILLIS);
      }
      return new ArchiveLock(channel);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      channel.close();
      throw new IOException("interrupted while waiting for the archive in " + root, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
