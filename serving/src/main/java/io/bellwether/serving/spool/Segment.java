package io.bellwether.serving.spool;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One file of a spool: a magic number, then records, each as its length (4 bytes), the CRC-32C of
 * its bytes (4 bytes) and its bytes; numbers are big-endian. Written once, at its end, by whoever
 * made it; a file that was found is only read. Owns its channel. Confined to its spool's lock, but
 * for the writing of what lies past {@link #end}.
 */
final class Segment implements AutoCloseable {

  /** Bytes of a record beside its own. */
  static final int HEAD = 2 * Integer.BYTES;

  /** A length above it is damage: no event is larger (EventLog.MAX_EVENT_BYTES), nor its frame. */
  static final int MAX_RECORD = 32 << 20;

  private static final long MAGIC = 0x42575350_4F4F4C31L; // "BWSPOOL1"
  private static final int BUFFER = 256 << 10;

  private final Path file;
  private final FileChannel channel;
  private long end;
  private long read = Long.BYTES;
  private long records;

  private Segment(Path file, FileChannel channel, long end, long records) {
    this.file = file;
    this.channel = channel;
    this.end = end;
    this.records = records;
  }

  /** A new file without records. */
  static Segment create(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      write(channel, ByteBuffer.allocate(Long.BYTES).putLong(MAGIC).flip(), 0);
      return new Segment(file, channel, Long.BYTES, 0);
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /**
   * A file that was left behind. What follows its last whole record was being written when its
   * process ended, so that nobody was told that it is kept; it is cut off.
   */
  static Segment recover(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      long[] sound = sound(channel);
      if (sound[0] < channel.size()) {
        channel.truncate(sound[0]);
      }
      return new Segment(file, channel, Math.max(sound[0], Long.BYTES), sound[1]);
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
  static long size(List<byte[]> records) {
    long size = 0;
    for (byte[] record : records) {
      size += HEAD + record.length;
    }
    return size;
  }

  /**
   * Writes records behind {@link #end}, where nobody reads yet; {@link #publish} makes them part of
   * the queue.
   *
   * @param forced whether they are on the disk when this returns
   */
  void write(List<byte[]> added, boolean forced) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER, size(added)));
    long position = end;
    for (byte[] record : added) {
      if (buffer.remaining() < HEAD) {
        position = flush(buffer, position);
      }
      crc.reset();
      crc.update(record);
      buffer.putInt(record.length).putInt((int) crc.getValue());
      int done = 0;
      while (done < record.length) {
        if (!buffer.hasRemaining()) {
          position = flush(buffer, position);
        }
        int part = Math.min(buffer.remaining(), record.length - done);
        buffer.put(record, done, part);
        done += part;
      }
    }
    flush(buffer, position);
    if (forced) {
      channel.force(false);
    }
  }

  private long flush(ByteBuffer buffer, long position) throws IOException {
    buffer.flip();
    long next = position + buffer.limit();
    write(channel, buffer, position);
    buffer.clear();
    return next;
  }

  private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
  }

  /** Makes what was written readable. */
  void publish(List<byte[]> added) {
    end += size(added);
    records += added.size();
  }

  /** Undoes what was written and not published, as far as the disk lets it. */
  void takeBack() throws IOException {
    channel.truncate(end);
  }

  /** The next record, which there must be. */
  byte[] next() throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD);
    fill(head, read);
    int length = head.getInt();
    int expected = head.getInt();
    if (length < 0 || length > end - read - HEAD) {
      throw new IOException(file + " is damaged at " + read);
    }
    ByteBuffer record = ByteBuffer.allocate(length);
    fill(record, read + HEAD);
    CRC32C crc = new CRC32C();
    crc.update(record.array());
    if ((int) crc.getValue() != expected) {
      throw new IOException(file + " is damaged at " + read);
    }
    read += HEAD + length;
    return record.array();
  }

  private void fill(ByteBuffer bytes, long at) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      int count = channel.read(bytes, position);
      if (count < 0) {
        throw new EOFException(file + " ends at " + position);
      }
      position += count;
    }
    bytes.flip();
  }

  /** Where the next record is read. */
  long position() {
    return read;
  }

  /** Reads from here on. */
  void seek(long position) {
    read = position;
  }

  /** Whether all that is published was read. */
  boolean drained() {
    return read >= end;
  }

  /** Bytes of the published file. */
  long end() {
    return end;
  }

  /** Records that were published. */
  long records() {
    return records;
  }

  Path file() {
    return file;
  }

  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
