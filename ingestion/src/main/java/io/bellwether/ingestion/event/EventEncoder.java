package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.io.BinaryData;
import org.apache.avro.io.BinaryEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Avro's binary encoding into memory that is used again: texts and rows of bytes are written where
 * they stay, without a copy on the way. Confined to one thread.
 */
final class EventEncoder extends BinaryEncoder {

  private static final int INITIAL_BYTES = 1 << 10;

  /** What one exceptional event needed is not kept for all that follow. */
  private static final int MOST_KEPT_BYTES = 1 << 18;

  /** Of a long, as Avro writes it. */
  private static final int MOST_VARINT_BYTES = 10;

  private byte[] bytes = new byte[INITIAL_BYTES];
  private int size;
  private @Nullable ByteBuffer watched;
  private int watchedAt;

  /** Begins an event. */
  void begin(byte[] header, @Nullable ByteBuffer watch) {
    size = 0;
    watched = watch;
    watchedAt = -1;
    writeFixed(header, 0, header.length);
  }

  /**
   * Where the content of the field that {@link #begin} named has begun; -1 where it was not met.
   */
  int watchedAt() {
    return watchedAt;
  }

  /** All that was written since {@link #begin}. */
  byte[] end() {
    byte[] event = Arrays.copyOf(bytes, size);
    watched = null;
    if (bytes.length > MOST_KEPT_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    return event;
  }

  @Override
  public void writeString(String text) {
    if (!isAscii(text)) {
      byte[] encoded = text.getBytes(UTF_8);
      writeLong(encoded.length);
      writeFixed(encoded, 0, encoded.length);
      return;
    }
    int length = text.length();
    writeLong(length);
    reserve(length);
    for (int i = 0; i < length; i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a field is meant, not what it holds
  public void writeBytes(ByteBuffer content) {
    writeLong(content.remaining());
    if (content == watched) {
      watchedAt = size;
    }
    writeFixed(content);
  }

  @Override
  public void writeFixed(ByteBuffer content) {
    int length = content.remaining();
    reserve(length);
    content.get(content.position(), bytes, size, length);
    size += length;
  }

  @Override
  public void writeFixed(byte[] content, int start, int length) {
    reserve(length);
    System.arraycopy(content, start, bytes, size, length);
    size += length;
  }

  @Override
  public void writeBoolean(boolean value) {
    reserve(1);
    bytes[size++] = (byte) (value ? 1 : 0);
  }

  @Override
  public void writeInt(int value) {
    reserve(MOST_VARINT_BYTES);
    size += BinaryData.encodeInt(value, bytes, size);
  }

  @Override
  public void writeLong(long value) {
    reserve(MOST_VARINT_BYTES);
    size += BinaryData.encodeLong(value, bytes, size);
  }

  @Override
  public void writeFloat(float value) {
    reserve(Float.BYTES);
    size += BinaryData.encodeFloat(value, bytes, size);
  }

  @Override
  public void writeDouble(double value) {
    reserve(Double.BYTES);
    size += BinaryData.encodeDouble(value, bytes, size);
  }

  @Override
  protected void writeZero() {
    reserve(1);
    bytes[size++] = 0;
  }

  @Override
  public int bytesBuffered() {
    return size;
  }

  @Override
  public void flush() {
    // It is where it stays.
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
