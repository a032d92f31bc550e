package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro's binary form where it lies, for those that know what they look for. Names that come
 * again and again, such as those of signals, are made once. Refuses what Avro's own reader refuses.
 * Confined to one thread.
 */
final class EventCursor {

  private static final int NAMES = 256;
  private static final int LONGEST_NAME = 64;
  private static final int INT_BYTES = 5;
  private static final int LONG_BYTES = 10;
  private static final byte[] NOTHING = {};

  private final byte[][] nameBytes = new byte[NAMES][];
  private final @Nullable String[] names = new String[NAMES];

  private byte[] bytes = NOTHING;
  private int at;

  /** Turns to other bytes, at this place. */
  void begin(byte[] event, int from) {
    bytes = event;
    at = from;
  }

  /** Forgets the bytes. */
  void end() {
    bytes = NOTHING;
  }

  /** Where it stands. */
  int at() {
    return at;
  }

  int readInt() throws IOException {
    return (int) readVarint(INT_BYTES);
  }

  long readLong() throws IOException {
    return readVarint(LONG_BYTES);
  }

  /** Zigzag, seven bits a byte, lowest first. */
  private long readVarint(int mostBytes) throws IOException {
    long value = 0;
    for (int i = 0; i < mostBytes; i++) {
      if (at >= bytes.length) {
        throw new EOFException("the bytes end within a number");
      }
      byte next = bytes[at++];
      value |= (next & 0x7FL) << 7 * i;
      if (next >= 0) {
        return mostBytes == INT_BYTES
            ? ((int) value >>> 1) ^ -((int) value & 1)
            : (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IOException("a number of more than " + mostBytes + " bytes");
  }

  double readDouble() throws IOException {
    int from = skip(Double.BYTES);
    long bits = 0;
    for (int i = Double.BYTES - 1; i >= 0; i--) {
      bits = bits << 8 | bytes[from + i] & 0xFF;
    }
    return Double.longBitsToDouble(bits);
  }

  String readText() throws IOException {
    int length = readLength();
    return new String(bytes, at - length, length, UTF_8);
  }

  /** A text of which there are few. */
  String readName() throws IOException {
    int length = readLength();
    int from = at - length;
    if (length > LONGEST_NAME) {
      return new String(bytes, from, length, UTF_8);
    }
    int hash = length;
    for (int i = from; i < at; i++) {
      hash = 31 * hash + bytes[i];
    }
    int slot = (hash ^ hash >>> 15) & NAMES - 1;
    String known = names[slot];
    if (known != null
        && Arrays.equals(nameBytes[slot], 0, nameBytes[slot].length, bytes, from, at)) {
      return known;
    }
    String name = new String(bytes, from, length, UTF_8);
    names[slot] = name;
    nameBytes[slot] = Arrays.copyOfRange(bytes, from, at);
    return name;
  }

  /** Whether the text at one place, which was read before, is that at another one. */
  boolean sameText(int one, int other) throws IOException {
    int here = at;
    at = one;
    int length = readLength();
    int oneFrom = at - length;
    at = other;
    int otherLength = readLength();
    boolean same = Arrays.equals(bytes, oneFrom, oneFrom + length, bytes, at - otherLength, at);
    at = here;
    return same;
  }

  /** A text that was passed before. */
  String textAt(int place) throws IOException {
    int here = at;
    at = place;
    String text = readText();
    at = here;
    return text;
  }

  /** Passes a text, or bytes. */
  void skipLengthAndBytes() throws IOException {
    readLength();
  }

  /** Reads a length and passes as many bytes. */
  private int readLength() throws IOException {
    long length = readLong();
    if (length < 0 || length > bytes.length - at) {
      throw new IOException(
          "a length of " + length + " with " + (bytes.length - at) + " bytes left");
    }
    at += (int) length;
    return (int) length;
  }

  /**
   * Passes bytes.
   *
   * @return where they begin
   */
  int skip(int count) throws IOException {
    if (count > bytes.length - at) {
      throw new EOFException("the bytes end within a value");
    }
    int from = at;
    at += count;
    return from;
  }

  /** How many elements the next block of an array or map has; 0 where it is over. */
  long readBlock() throws IOException {
    long count = readLong();
    if (count < 0) {
      readLong(); // how many bytes they have
      count = -count;
    }
    if (count < 0 || count > bytes.length - at) {
      throw new IOException("a block of " + count + " elements");
    }
    return count;
  }

  /** The branch of a union, or symbol of an enum, of that many. */
  int readIndex(int size) throws IOException {
    int index = readInt();
    if (index < 0 || index >= size) {
      throw new IOException("branch " + index + " of " + size);
    }
    return index;
  }
}
