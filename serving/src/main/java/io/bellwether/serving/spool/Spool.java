package io.bellwether.serving.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of records in a folder of one process. What {@link #append} has completed for is
 * read in the same order, again by the next process after a crash, until it is removed.
 *
 * <p>An append that need not be forced to the disk and meets no other is written by whoever
 * appends; those that come together, are forced, or come while the disk is slow, are written
 * together by one thread (group commit). Files are removed whole: of one that was half read when
 * the process ended, all is read again. A record that was being written then is dropped, since
 * nobody was told that it is kept.
 *
 * <p>Owns its files, their lock and its thread. Any thread appends; one at a time reads and
 * removes.
 */
public final class Spool<T> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Spool.class);

  private static final String LOCK = "spool.lock";
  private static final String SUFFIX = ".spool";

  /** Room comes back in such parts of the bound. */
  private static final int SEGMENTS = 16;

  private static final long MAX_SEGMENT = 16 << 20;

  /** So that one group neither fills memory nor keeps its first record waiting. */
  private static final long MAX_GROUP = 4 << 20;

  private static final int SCRATCH = 256 << 10;

  /** To the memory of the operating system it takes microseconds; then it waits for the disk. */
  private static final long SLOW_NANOS = 2_000_000;

  private final Path folder;
  private final long maxBytes;
  private final BooleanSupplier forced;
  private final RecordForm<T> form;
  private final FileChannel lockFile;

  /** Of whoever writes. */
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);

  private final Thread writer = new Thread(this::write, "spool-writer");

  private final Object lock = new Object();
  private final Deque<Segment<T>> segments;
  private final Deque<Append<T>> waiting = new ArrayDeque<>();

  /** The last of {@link #segments}, if it was made by this process and takes more. */
  private @Nullable Segment<T> open;

  private boolean writing;

  /** Whether the last writing took so long that nobody's thread is to be kept with the next. */
  private boolean slow;

  private boolean closed;
  private long nextNumber;
  private long bytes;
  private long records;
  private long waitingBytes;

  private record Append<T>(List<T> records, long size, CompletableFuture<Void> kept) {}

  /**
   * What was read and not removed yet.
   *
   * @param records oldest first; none where the queue is empty
   * @param segment the file that they are in
   * @param until where they end in it
   * @param unreadable records behind them that are damaged
   */
  public static final class Batch<T> {
    private final List<T> records;
    private final @Nullable Segment<T> segment;
    private final long until;
    private final long unreadable;

    private Batch(List<T> records, @Nullable Segment<T> segment, long until, long unreadable) {
      this.records = List.copyOf(records);
      this.segment = segment;
      this.until = until;
      this.unreadable = unreadable;
    }

    /** Oldest first; none where the queue is empty. */
    public List<T> records() {
      return records;
    }

    /** Records behind them that the file does not hold any more; they are removed with them. */
    public long unreadable() {
      return unreadable;
    }
  }

  private Spool(
      Path folder,
      long maxBytes,
      RecordForm<T> form,
      BooleanSupplier forced,
      FileChannel lockFile,
      Deque<Segment<T>> segments,
      long nextNumber) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.form = form;
    this.forced = forced;
    this.lockFile = lockFile;
    this.segments = segments;
    this.nextNumber = nextNumber;
    for (Segment<T> segment : segments) {
      bytes += segment.end();
      records += segment.records();
    }
    writer.setDaemon(true);
  }

  /**
   * Opens the queue of a folder, which is made where it is missing.
   *
   * @param maxBytes of all files together; what is there already may be more
   * @param form of its records
   * @param forced whether an append waits for the disk, asked at each; otherwise it is with the
   *     operating system, and survives this process, but not the machine
   * @throws IOException when the folder cannot be used, also because another process does
   */
  public static <T> Spool<T> open(
      Path folder, long maxBytes, RecordForm<T> form, BooleanSupplier forced) throws IOException {
    Files.createDirectories(folder);
    FileChannel lockFile =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Deque<Segment<T>> segments = new ArrayDeque<>();
    try {
      if (!locked(lockFile)) {
        throw new IOException(folder + " is the spool of another process");
      }
      long last = 0;
      for (Path file : files(folder)) {
        long size = Files.size(file);
        Segment<T> segment = Segment.recover(file, form);
        segments.add(segment);
        last = number(file);
        if (segment.end() < size) {
          LOG.warnf("%s: %d bytes without a whole record are dropped", file, size - segment.end());
        }
      }
      Spool<T> spool = new Spool<>(folder, maxBytes, form, forced, lockFile, segments, last + 1);
      spool.writer.start();
      return spool;
    } catch (IOException e) {
      for (Segment<T> segment : segments) {
        segment.close();
      }
      lockFile.close();
      throw e;
    }
  }

  private static boolean locked(FileChannel file) throws IOException {
    try {
      FileLock taken = file.tryLock();
      return taken != null;
    } catch (OverlappingFileLockException byThisProcess) {
      return false;
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().matches("[0-9]{19}\\.spool"))
          .sorted()
          .toList();
    }
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
  }

  /**
   * Keeps these records, all or none; completes when they are, on the caller's thread or the one
   * that writes, and fails with a {@link SpoolFullException} where there is no room.
   */
  public CompletableFuture<Void> append(List<T> added) {
    Append<T> append =
        new Append<>(List.copyOf(added), Segment.size(added, form), new CompletableFuture<>());
    boolean alone = !forced.getAsBoolean();
    synchronized (lock) {
      if (closed) {
        append.kept.completeExceptionally(new SpoolFullException("the spool is closed", null));
        return append.kept;
      }
      if (bytes + waitingBytes + append.size + Long.BYTES > maxBytes) {
        append.kept.completeExceptionally(
            new SpoolFullException("the spool is full: " + bytes + " bytes", null));
        return append.kept;
      }
      waitingBytes += append.size;
      alone &= waiting.isEmpty() && !writing && !slow;
      if (alone) {
        writing = true;
      } else {
        waiting.add(append);
        lock.notifyAll();
      }
    }
    if (alone) {
      tell(List.of(append), keep(append.records, false));
    }
    return append.kept;
  }

  private void write() {
    List<Append<T>> group = new ArrayList<>();
    while (awaitGroup(group)) {
      List<T> added = new ArrayList<>();
      group.forEach(append -> added.addAll(append.records));
      tell(group, keep(added, forced.getAsBoolean()));
      group.clear();
    }
  }

  private static <T> void tell(List<Append<T>> group, @Nullable IOException failure) {
    for (Append<T> append : group) {
      if (failure == null) {
        append.kept.complete(null);
      } else {
        append.kept.completeExceptionally(failure);
      }
    }
  }

  /** Takes what has gathered; false once the spool is closed and nothing is left. */
  private boolean awaitGroup(List<Append<T>> group) {
    synchronized (lock) {
      while (waiting.isEmpty() || writing) {
        if (closed && !writing) {
          return false;
        }
        try {
          lock.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      long size = 0;
      while (!waiting.isEmpty() && (size == 0 || size + waiting.element().size <= MAX_GROUP)) {
        Append<T> append = waiting.remove();
        size += append.size;
        group.add(append);
      }
      writing = true;
      return true;
    }
  }

  private @Nullable IOException keep(List<T> added, boolean now) {
    @Nullable Segment<T> segment = null;
    @Nullable IOException failure = null;
    long from = System.nanoTime();
    try {
      segment = segment(now);
      segment.write(added, now, scratch);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Whatever it is, those who come next must not wait for ever.
      LOG.debugf(e, "%d records could not be kept", added.size());
      failure = new SpoolFullException("the disk takes no more: " + e.getMessage(), e);
    }
    long took = System.nanoTime() - from;
    synchronized (lock) {
      writing = false;
      slow = took > SLOW_NANOS;
      waitingBytes -= Segment.size(added, form);
      if (failure == null && segment != null) {
        segment.publish(added);
        bytes += Segment.size(added, form);
        records += added.size();
      } else if (segment != null) {
        discard(segment);
      }
      lock.notifyAll();
    }
    return failure;
  }

  /** After a failure nobody knows what the disk holds behind the end: the file takes no more. */
  private void discard(Segment<T> segment) {
    open = null;
    try {
      segment.takeBack();
      if (segment.drained()) {
        takeOut(segment);
        segment.delete();
      }
    } catch (IOException e) {
      LOG.debugf(e, "%s could not be cut off", segment.file());
    }
  }

  /** The file that is written to. */
  private Segment<T> segment(boolean forcedNow) throws IOException {
    long number;
    synchronized (lock) {
      if (open != null && open.end() < Math.min(MAX_SEGMENT, maxBytes / SEGMENTS)) {
        return open;
      }
      number = nextNumber++;
    }
    Segment<T> made =
        Segment.create(folder.resolve(String.format(Locale.ROOT, "%019d%s", number, SUFFIX)), form);
    if (forcedNow) {
      forceFolder(made);
    }
    synchronized (lock) {
      open = made;
      segments.add(made);
      bytes += made.end();
      return made;
    }
  }

  /** So that the file's name survives with its bytes. */
  private void forceFolder(Segment<T> made) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      made.delete();
      throw e;
    }
  }

  /** Waits until there is something to read; false where there was nothing in time. */
  public boolean await(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    synchronized (lock) {
      while (!readable()) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        lock.wait(left / 1_000_000 + 1);
      }
      return true;
    }
  }

  /** Waits until everything was removed; false where it was not in time. */
  public boolean awaitEmpty(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    synchronized (lock) {
      while (records > 0 || writing || !waiting.isEmpty()) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        lock.wait(left / 1_000_000 + 1);
      }
      return true;
    }
  }

  private boolean readable() {
    return segments.stream().anyMatch(segment -> !segment.drained());
  }

  /**
   * The oldest records that were not removed, of one file; the same again until they are. None
   * where there are none, or where their file cannot be read now. Whoever appends does not wait for
   * it.
   */
  public Batch<T> read(int maxRecords, long maxSize) {
    List<Segment<T>> gone;
    Batch<T> batch;
    Segment<T> file = null;
    synchronized (lock) {
      gone = takeDrained();
      Segment<T> oldest = segments.peek();
      if (oldest == null || oldest.drained()) {
        batch = new Batch<>(List.of(), null, 0, 0);
      } else if (oldest.inMemory()) {
        List<T> read = new ArrayList<>();
        long until = oldest.readMemory(read, maxRecords, maxSize);
        batch = new Batch<>(read, oldest, until, 0);
      } else {
        file = oldest;
        batch = new Batch<>(List.of(), oldest, oldest.end(), oldest.records());
      }
    }
    delete(gone);
    return file == null ? batch : readFile(file, batch, maxRecords, maxSize);
  }

  /**
   * Reads what of a file is in none of the batches before.
   *
   * @param rest of the file, as if none of it could be read
   */
  private Batch<T> readFile(Segment<T> file, Batch<T> rest, int maxRecords, long maxSize) {
    List<T> batch = new ArrayList<>();
    try {
      long until = file.readFile(batch, file.position(), rest.until, maxRecords, maxSize);
      return new Batch<>(batch, file, until, 0);
    } catch (DamagedSegmentException e) {
      long unreadable = rest.unreadable - batch.size();
      LOG.errorf(e, "%d records of the spool cannot be read", unreadable);
      return new Batch<>(batch, file, rest.until, unreadable);
    } catch (IOException e) {
      LOG.warnf("%s cannot be read now: %s", file.file(), e.getMessage());
      return new Batch<>(List.of(), null, 0, 0);
    }
  }

  /** Removes what was read; it must be the last batch. */
  public void remove(Batch<T> batch) {
    if (batch.segment == null) {
      return;
    }
    List<Segment<T>> gone;
    synchronized (lock) {
      long passed = batch.records.size() + batch.unreadable;
      batch.segment.pass(batch.until, passed);
      records -= passed;
      gone = takeDrained();
      lock.notifyAll();
    }
    delete(gone);
  }

  /** Takes out the files of which nothing is left, to be deleted without the lock. */
  private List<Segment<T>> takeDrained() {
    List<Segment<T>> gone = new ArrayList<>();
    while (true) {
      Segment<T> oldest = segments.peek();
      if (oldest == null || !oldest.drained() || (oldest.equals(open) && writing)) {
        return gone;
      }
      takeOut(oldest);
      gone.add(oldest);
    }
  }

  private static <T> void delete(List<Segment<T>> gone) {
    for (Segment<T> segment : gone) {
      try {
        segment.delete();
      } catch (IOException e) {
        LOG.warnf(e, "%s could not be deleted; its records may be read again", segment.file());
      }
    }
  }

  private void takeOut(Segment<T> segment) {
    segments.remove(segment);
    bytes -= segment.end();
    if (segment.equals(open)) {
      open = null;
    }
  }

  /** Bytes of all files. */
  public long bytes() {
    synchronized (lock) {
      return bytes;
    }
  }

  /** Records that were not removed. */
  public long records() {
    synchronized (lock) {
      return records;
    }
  }

  /** Whether there is room for more than a trifle. */
  public boolean writable() {
    synchronized (lock) {
      return !closed && bytes + waitingBytes < maxBytes - maxBytes / SEGMENTS;
    }
  }

  /** Writes what was taken, and gives the folder free; what is in it stays. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lock) {
      for (Segment<T> segment : segments) {
        try {
          segment.close();
        } catch (IOException e) {
          LOG.debugf(e, "%s could not be closed", segment.file());
        }
      }
    }
    try {
      lockFile.close();
    } catch (IOException e) {
      LOG.debugf(e, "the lock of %s could not be given back", folder);
    }
  }
}
