package io.bellwether.trainer.gate;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folders of evaluations, by fingerprint: the one that runs, and the last few, so that what was
 * interrupted goes on where it was. Thread-safe, also between processes.
 */
final class EvaluationRuns {

  /** A run takes some hundred bytes per decision. */
  private static final int KEPT = 3;

  private static final String PREFIX = "evaluation-";
  private static final String LOCK = "lock";

  /** Moved out of the way before it is deleted, so that nobody begins in what is going away. */
  private static final String REMOVED = "removed-";

  private static final int ATTEMPTS = 3;

  private final Path root;
  private final Clock clock;

  EvaluationRuns(Path root, Clock clock) {
    this.root = root;
    this.clock = clock;
  }

  /** A folder that nobody else uses until it is closed. */
  static final class Run implements AutoCloseable {

    private final EvaluationFolder folder;
    private final FileChannel lock;

    private Run(EvaluationFolder folder, FileChannel lock) {
      this.folder = folder;
      this.lock = lock;
    }

    EvaluationFolder folder() {
      return folder;
    }

    /** Frees the folder; what is in it stays. */
    @Override
    public void close() throws IOException {
      lock.close();
    }
  }

  /**
   * Takes the folder of an evaluation, and removes old ones of others.
   *
   * @throws IOException where the same evaluation runs elsewhere
   */
  Run open(String fingerprint) throws IOException {
    Path folder = root.resolve(PREFIX + fingerprint);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Files.createDirectories(folder);
      FileChannel lock = lock(folder);
      if (lock == null) {
        throw new IOException("the same evaluation is being made elsewhere, in " + folder);
      }
      if (Files.exists(folder.resolve(LOCK))) {
        Files.setLastModifiedTime(folder.resolve(LOCK), FileTime.from(clock.instant()));
        removeOld(folder);
        return new Run(new EvaluationFolder(folder), lock);
      }
      // somebody removed the folder as an old one meanwhile
      lock.close();
    }
    throw new IOException("others remove " + folder + " again and again");
  }

  /** Null where somebody else has it. */
  private static @Nullable FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // another thread of this process has it
    }
    channel.close();
    return null;
  }

  private void removeOld(Path used) throws IOException {
    for (Path leftOver : folders(REMOVED)) {
      delete(leftOver);
    }
    List<Path> old =
        folders(PREFIX).stream()
            .filter(folder -> !folder.equals(used))
            .sorted(Comparator.comparing(EvaluationRuns::lastUsed).reversed())
            .skip(KEPT - 1)
            .toList();
    for (Path folder : old) {
      FileChannel lock = lock(folder);
      if (lock != null) {
        Path removed = root.resolve(REMOVED + folder.getFileName());
        try (lock) {
          Files.move(folder, removed, StandardCopyOption.ATOMIC_MOVE);
        }
        delete(removed);
      }
    }
  }

  private List<Path> folders(String prefix) throws IOException {
    try (Stream<Path> folders = Files.list(root)) {
      return folders.filter(folder -> folder.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  private static FileTime lastUsed(Path folder) {
    try {
      return Files.getLastModifiedTime(folder.resolve(LOCK));
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  /** Deletes a folder with all that is in it; what somebody else deletes meanwhile is gone too. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
