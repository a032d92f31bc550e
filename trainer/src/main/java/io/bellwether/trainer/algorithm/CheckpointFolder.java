package io.bellwether.trainer.algorithm;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32;

/**
 * Checkpoints as files of one folder, {@code stage-0.checkpoint} and so on. A file is forced to the
 * disk and then replaced as a whole, so that there is always a good one.
 *
 * <p>Written at the first report, then whenever the interval has passed and twenty times as long as
 * the last one took to write: they cost a twentieth of the time at most. When they are written
 * changes nothing that is learned. Confined to one thread.
 */
public final class CheckpointFolder implements Checkpoints {
  private static final int MAGIC = 0x42574b31;
  private static final int LARGEST_SHARE = 20;
  private static final String SUFFIX = ".checkpoint";

  private final Path folder;
  private final String code;
  private final Duration interval;
  private final Consumer<String> notices;
  private final LongSupplier nanos;
  private long lastNanos;
  private long costNanos;
  private String last = "";

  /**
   * @param code version of the program: another one may learn otherwise
   * @param interval shortest time between two checkpoints
   * @param notices hears what was found, and why something was not used
   */
  public CheckpointFolder(Path folder, String code, Duration interval, Consumer<String> notices) {
    this(folder, code, interval, notices, System::nanoTime);
  }

  CheckpointFolder(
      Path folder, String code, Duration interval, Consumer<String> notices, LongSupplier nanos) {
    this.folder = folder;
    this.code = code;
    this.interval = interval;
    this.notices = notices;
    this.nanos = nanos;
  }

  @Override
  public boolean areKept() {
    return true;
  }

  @Override
  public boolean isDue() {
    long passed = nanos.getAsLong() - lastNanos;
    return last.isEmpty() || passed >= Math.max(interval.toNanos(), LARGEST_SHARE * costNanos);
  }

  /** The last good checkpoint in words; empty where there is none. */
  public Optional<String> latest() {
    return last.isEmpty() ? Optional.empty() : Optional.of(last);
  }

  @Override
  public Optional<Checkpoint> read(int stage, RunIdentity identity) {
    Path file = file(stage);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(content(file)));
      Optional<String> difference = identity(in).difference(identity.with("code", code));
      if (difference.isPresent()) {
        notices.accept(
            "%s is not used: it is of another run, by its %s".formatted(file, difference.get()));
        return Optional.empty();
      }
      Checkpoint checkpoint = Checkpoint.read(in);
      keep(file, checkpoint);
      lastNanos = nanos.getAsLong();
      notices.accept("going on after step %d of %s".formatted(checkpoint.step(), file));
      return Optional.of(checkpoint);
    } catch (IOException damaged) {
      notices.accept("%s is not used: %s".formatted(file, damaged.getMessage()));
      return Optional.empty();
    }
  }

  private static RunIdentity identity(DataInputStream in) throws IOException {
    SortedMap<String, String> parts = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      parts.put(in.readUTF(), in.readUTF());
    }
    return new RunIdentity(parts);
  }

  @Override
  public void write(int stage, RunIdentity identity, Checkpoint checkpoint) {
    long started = nanos.getAsLong();
    Path file = file(stage);
    try {
      Files.createDirectories(folder);
      replace(file, bytes(identity.with("code", code), checkpoint));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep a checkpoint in " + folder, e);
    }
    keep(file, checkpoint);
    lastNanos = nanos.getAsLong();
    costNanos = lastNanos - started;
  }

  private void keep(Path file, Checkpoint checkpoint) {
    last = "%s, after step %d".formatted(file, checkpoint.step());
  }

  private static byte[] bytes(RunIdentity identity, Checkpoint checkpoint) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(identity.parts().size());
    for (String part : identity.parts().keySet()) {
      out.writeUTF(part);
      out.writeUTF(identity.parts().get(part));
    }
    checkpoint.write(out);
    return bytes.toByteArray();
  }

  /** Magic number, checksum, content. */
  private static void replace(Path file, byte[] content) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);
    head.putInt(MAGIC).putLong(checksum(content)).flip();
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeAll(channel, head);
      writeAll(channel, ByteBuffer.wrap(content));
      channel.force(true);
    }
    Files.move(unfinished, file, REPLACE_EXISTING, ATOMIC_MOVE);
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static byte[] content(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() < Integer.BYTES + Long.BYTES || bytes.getInt() != MAGIC) {
      throw new IOException("it is no checkpoint of this format");
    }
    long expected = bytes.getLong();
    byte[] content = new byte[bytes.remaining()];
    bytes.get(content);
    if (checksum(content) != expected) {
      throw new IOException("its checksum does not fit");
    }
    return content;
  }

  private static long checksum(byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    return checksum.getValue();
  }

  private Path file(int stage) {
    return folder.resolve("stage-" + stage + SUFFIX);
  }

  /** Forgets all of them, once the run's result stands. */
  public void clear() throws IOException {
    if (Files.exists(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "stage-*" + SUFFIX)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
    last = "";
  }
}
