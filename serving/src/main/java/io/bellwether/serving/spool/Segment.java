package io.bellwether.serving.spool;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One file of a spool: a magic number, then records, each as its length (4 bytes), the CRC-32C of
 * its bytes (4 bytes) and its bytes; numbers are big-endian. Written once, at its end, by whoever
 * made it; a file that was found is only read. Records at its end that were just written are also
 * in memory, so that whoever follows closely reads no file. Owns its channel, and opens it anew
 * where the interrupt of a thread has closed it. Confined to its spool's lock, but for the writing
 * of what lies past {@link #end} and the reading of what lies before it.
 *
 * @param <T> what a record is
 */
final class Segment<T> implements AutoCloseable {

  /** Bytes of a record beside its own. */
  static final int HEAD = 2 * Integer.BYTES;

  /** A length above it is damage: no event is larger (EventLog.MAX_EVENT_BYTES), nor its frame. */
  static final int MAX_RECORD = 32 << 20;

  private static final long MAGIC = 0x42575350_4F4F4C31L; // "BWSPOOL1"
  private static final int BUFFER = 256 << 10;

  /** Of this file's newest records in memory. */
  private static final long MOST_IN_MEMORY = 4 << 20;

  private final Path file;
  private final RecordForm<T> form;
  private volatile FileChannel channel;
  private boolean closed;

  /** The records from {@link #memoryFrom} to {@link #end}; none where that is the end. */
  private final Deque<Held<T>> memory = new ArrayDeque<>();

  private long memoryFrom = Long.MAX_VALUE;
  private long end;
  private long read = Long.BYTES;
  private long records;

  /** A record with the place behind it. */
  private record Held<T>(T record, long until) {}

  /** Something that is done with the channel, of which a part may be done already. */
  @FunctionalInterface
  private interface Use {
    int on(FileChannel channel) throws IOException;
  }

  private Segment(Path file, FileChannel channel, RecordForm<T> form, long end, long records) {
    this.file = file;
    this.channel = channel;
    this.form = form;
    this.end = end;
    this.records = records;
  }

  /** A new file without records. */
  static <T> Segment<T> create(Path file, RecordForm<T> form) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Segment<T> made = new Segment<>(file, channel, form, Long.BYTES, 0);
    try {
      made.write(ByteBuffer.allocate(Long.BYTES).putLong(MAGIC).flip(), 0);
      return made;
    } catch (IOException e) {
      made.delete();
      throw e;
    }
  }

  /**
   * A file that was left behind. What follows its last whole record was being written when its
   * process ended, so that nobody was told that it is kept; it is cut off.
   */
  static <T> Segment<T> recover(Path file, RecordForm<T> form) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      long[] sound = sound(channel);
      if (sound[0] < channel.size()) {
        channel.truncate(sound[0]);
      }
      return new Segment<>(file, channel, form, Math.max(sound[0], Long.BYTES), sound[1]);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Where the last whole record ends, and how many there are. */
  private static long[] sound(FileChannel channel) throws IOException {
    long end = 0;
    long records = 0;
    CRC32C crc = new CRC32C();
    long size = channel.size();
    // Not closed, which would close the channel.
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER));
    try {
      if (in.readLong() != MAGIC) {
        return new long[] {0, 0};
      }
      end = Long.BYTES;
      while (true) {
        int length = in.readInt();
        int expected = in.readInt();
        if (length < 0 || length > MAX_RECORD || length > size - end - HEAD) {
          return new long[] {end, records};
        }
        byte[] record = new byte[length];
        in.readFully(record);
        crc.reset();
        crc.update(record);
        if ((int) crc.getValue() != expected) {
          return new long[] {end, records};
        }
        end += HEAD + length;
        records++;
      }
    } catch (EOFException over) {
      return new long[] {end, records};
    }
  }

  /** Bytes that these records take. */
  static <T> long size(List<T> records, RecordForm<T> form) {
    long size = 0;
    for (T record : records) {
      size += HEAD + form.size(record);
    }
    return size;
  }

  /**
   * Writes records behind {@link #end}, where nobody reads yet; {@link #publish} makes them part of
   * the queue.
   *
   * @param forced whether they are on the disk when this returns
   * @param scratch memory of the caller's
   */
  void write(List<T> added, boolean forced, ByteBuffer scratch) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = scratch.clear();
    long position = end;
    for (T record : added) {
      int size = HEAD + form.size(record);
      if (size > buffer.remaining()) {
        position = flush(buffer, position);
      }
      ByteBuffer target = size > buffer.capacity() ? ByteBuffer.allocate(size) : buffer;
      put(record, target, crc);
      if (!target.equals(buffer)) {
        position = flush(target, position);
      }
    }
    flush(buffer, position);
    if (forced) {
      using(
          open -> {
            open.force(false);
            return 0;
          });
    }
  }

  private void put(T record, ByteBuffer target, CRC32C crc) {
    int head = target.position();
    target.position(head + HEAD);
    form.write(record, target);
    int length = target.position() - head - HEAD;
    crc.reset();
    crc.update(target.duplicate().flip().position(head + HEAD));
    target.putInt(head, length).putInt(head + Integer.BYTES, (int) crc.getValue());
  }

  private long flush(ByteBuffer buffer, long position) throws IOException {
    buffer.flip();
    long next = position + buffer.limit();
    write(buffer, position);
    buffer.clear();
    return next;
  }

  private void write(ByteBuffer bytes, long at) throws IOException {
    int first = bytes.position();
    while (bytes.hasRemaining()) {
      using(open -> open.write(bytes, at + bytes.position() - first));
    }
  }

  /**
   * An interrupt closes the channel that its thread uses, for all others too, and may do so after
   * the work was done; the file is none the worse for it.
   */
  private int using(Use use) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        FileChannel used = channel;
        try {
          return use.on(used);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(used);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel broken) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (channel.equals(broken)) {
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
  }

  /** Makes what was written readable. */
  void publish(List<T> added) {
    boolean follows = read == end || memoryFrom < Long.MAX_VALUE;
    for (T record : added) {
      long from = end;
      end += HEAD + form.size(record);
      if (follows && end - Math.min(memoryFrom, from) <= MOST_IN_MEMORY) {
        memoryFrom = Math.min(memoryFrom, from);
        memory.add(new Held<>(record, end));
      } else {
        // Whoever follows has fallen behind, and reads the file from here on.
        follows = false;
        memory.clear();
        memoryFrom = Long.MAX_VALUE;
      }
    }
    records += added.size();
  }

  /** Undoes what was written and not published, as far as the disk lets it. */
  void takeBack() throws IOException {
    using(
        open -> {
          open.truncate(end);
          return 0;
        });
  }

  /** Whether the next records are in memory. */
  boolean inMemory() {
    return read >= memoryFrom;
  }

  /**
   * Adds the oldest records that are not passed yet, and in memory, to a list; {@link #pass} goes
   * on behind them.
   *
   * @return where they end
   */
  long readMemory(List<T> batch, int maxRecords, long maxSize) {
    long position = read;
    long size = 0;
    for (Held<T> held : memory) {
      if (batch.size() == maxRecords || size >= maxSize) {
        break;
      }
      batch.add(held.record);
      size += held.until - position;
      position = held.until;
    }
    return position;
  }

  /**
   * Adds records of the file to a list, without the spool's lock.
   *
   * @param from where a record begins
   * @param until no later than {@link #end}
   * @return where they end
   * @throws DamagedSegmentException where what was written is not there any more; the list then has
   *     the records before it
   */
  long readFile(List<T> batch, long from, long until, int maxRecords, long maxSize)
      throws IOException {
    long position = from;
    long size = 0;
    while (position < until && batch.size() < maxRecords && size < maxSize) {
      ByteBuffer record = record(position, until);
      long length = record.remaining();
      batch.add(parsed(record, position));
      position += HEAD + length;
      size += length;
    }
    return position;
  }

  private T parsed(ByteBuffer record, long at) throws DamagedSegmentException {
    try {
      return form.read(record);
    } catch (IOException e) {
      throw new DamagedSegmentException(file, at, e);
    }
  }

  private ByteBuffer record(long at, long until) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    fill(head, at);
    int length = head.getInt();
    int expected = head.getInt();
    if (length < 0 || length > until - at - HEAD) {
      throw new DamagedSegmentException(file, at, null);
    }
    ByteBuffer record = ByteBuffer.allocate(length);
    fill(record, at + HEAD);
    CRC32C crc = new CRC32C();
    crc.update(record.array());
    if ((int) crc.getValue() != expected) {
      throw new DamagedSegmentException(file, at, null);
    }
    return record;
  }

  private void fill(ByteBuffer bytes, long at) throws IOException {
    while (bytes.hasRemaining()) {
      if (using(open -> open.read(bytes, at + bytes.position())) < 0) {
        throw new DamagedSegmentException(file, at, null);
      }
    }
    bytes.flip();
  }

  /** Where the next record is read. */
  long position() {
    return read;
  }

  /** Goes on from here, behind so many records. */
  void pass(long position, long passed) {
    read = position;
    records -= passed;
    while (!memory.isEmpty() && memory.element().until <= position) {
      memoryFrom = memory.remove().until;
    }
    if (memory.isEmpty()) {
      memoryFrom = Long.MAX_VALUE;
    }
  }

  /** Whether all that is published was read. */
  boolean drained() {
    return read >= end;
  }

  /** Bytes of the published file. */
  long end() {
    return end;
  }

  /** Records that were published and not passed. */
  long records() {
    return records;
  }

  Path file() {
    return file;
  }

  void delete() throws IOException {
    close();
    Files.deleteIfExists(file);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }
}
