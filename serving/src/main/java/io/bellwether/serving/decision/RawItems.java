package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A JSON array of features as they were sent, {@code null} where none were. Memory that is used
 * again; confined to one thread.
 */
final class RawItems {

  private static final int INITIAL_BYTES = 1 << 12;

  /** What an exceptional request needed is not kept for all that follow. */
  private static final int MOST_KEPT_BYTES = 1 << 18;

  private static final byte[] NULL = "null".getBytes(UTF_8);

  private byte[] bytes = new byte[INITIAL_BYTES];
  private int size;

  /** Begins an array with so many elements without features. */
  void begin(int nulls) {
    size = 0;
    put((byte) '[');
    for (int i = 0; i < nulls; i++) {
      addNull();
    }
  }

  /** Adds an element without features. */
  void addNull() {
    add(NULL, 0, NULL.length);
  }

  /** Adds features, JSON in UTF-8. */
  void add(byte[] json, int from, int to) {
    if (size > 1) {
      put((byte) ',');
    }
    reserve(to - from);
    System.arraycopy(json, from, bytes, size, to - from);
    size += to - from;
  }

  /** The array's text. */
  String end() {
    put((byte) ']');
    String text = new String(bytes, 0, size, UTF_8);
    if (bytes.length > MOST_KEPT_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    return text;
  }

  private void put(byte next) {
    reserve(1);
    bytes[size++] = next;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
