package io.bellwether.infra.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The right to run on a data folder: one process at a time. The operating system takes it back when
 * the process ends, however that happens. Whoever takes it closes it. Thread-safe.
 */
public final class FolderLock implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * The lock {@code NAME.lock} of the folder, which is created if absent; empty when another
   * process still has it after this time.
   */
  public static Optional<FolderLock> take(Path folder, String name, Duration patience)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    long deadline = System.nanoTime() + patience.toNanos();
    boolean taken = tryLock(channel);
    while (!taken && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      taken = tryLock(channel);
    }
    if (taken) {
      return Optional.of(new FolderLock(channel));
    }
    channel.close();
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException oursAlready) {
      return false;
    }
  }
}
