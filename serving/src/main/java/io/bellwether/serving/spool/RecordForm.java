package io.bellwether.serving.spool;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How records of one kind stand in a file. Thread-safe.
 *
 * @param <T> what a record is; not changed once it was appended
 */
public interface RecordForm<T> {

  /** Bytes that {@link #write} will write. */
  int size(T record);

  /** Writes a record at the buffer's position. */
  void write(T record, ByteBuffer target);

  /**
   * Reads what {@link #write} wrote, from the buffer's position to its limit.
   *
   * @throws IOException where it is something else
   */
  T read(ByteBuffer bytes) throws IOException;
}
