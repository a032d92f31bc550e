package io.bellwether.ingestion.feature;

/**
 * What {@link BitsOut} wrote. Past the end there are zeros, and {@link #overrun} says so. Not
 * thread-safe.
 */
final class BitsIn {

  private final byte[] bytes;
  private long at;

  /**
   * @param from first byte that is read
   */
  BitsIn(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = 8L * from;
  }

  /** The next {@code count} bits, 0 to 56. */
  long read(int count) {
    int first = (int) (at >>> 3);
    int skip = (int) (at & 7);
    long word = 0;
    int last = Math.min(bytes.length, first + ((skip + count + 7) >>> 3));
    for (int i = first, shift = 0; i < last; i++, shift += 8) {
      word |= (bytes[i] & 0xFFL) << shift;
    }
    at += count;
    return (word >>> skip) & ((1L << count) - 1);
  }

  /** The next float. */
  float readFloat() {
    if (read(1) == 0) {
      return 0f;
    }
    if (read(1) == 0) {
      return 1f;
    }
    if (read(1) == 0) {
      int half = (int) read(16);
      int exponent = ((half >>> 10) & 31) - 15 + 127;
      return Float.intBitsToFloat(
          ((half >>> 15) << 31) | (exponent << 23) | ((half & 0x3FF) << 13));
    }
    return Float.intBitsToFloat((int) read(32));
  }

  /** Whether more was read than there is. */
  boolean overrun() {
    return at > 8L * bytes.length;
  }
}
