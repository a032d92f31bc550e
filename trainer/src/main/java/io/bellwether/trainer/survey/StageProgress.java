package io.bellwether.trainer.survey;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** How many transitions the tasks of a stage have read, each in a small file of its own. */
public final class StageProgress {

  private static final String SUFFIX = ".progress";

  private StageProgress() {}

  /** Counts what one task has read. Owns its file until {@link #close}; confined to the task. */
  public static final class Counter implements AutoCloseable {

    /** Often enough for people, rarely enough to cost nothing. */
    private static final long EVERY = 1024;

    private final FileChannel file;
    private long count;

    public Counter(Path folder, String stage, int task) throws IOException {
      this.file =
          FileChannel.open(
              folder.resolve(stage + "-" + task + SUFFIX),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** Counts a transition. */
    public void add() throws IOException {
      count++;
      if (count % EVERY == 0) {
        file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, count), 0);
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** What all tasks of a stage have read so far. */
  public static long of(Path folder, String stage) throws IOException {
    long sum = 0;
    for (Path file : files(folder, stage)) {
      byte[] bytes = Files.readAllBytes(file);
      sum += bytes.length < Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong();
    }
    return sum;
  }

  /** Forgets a stage. */
  public static void clear(Path folder, String stage) throws IOException {
    for (Path file : files(folder, stage)) {
      Files.deleteIfExists(file);
    }
  }

  private static List<Path> files(Path folder, String stage) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(stage + "-"))
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .toList();
    }
  }
}
