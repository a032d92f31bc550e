package io.bellwether.ingestion.feature;

import java.util.Arrays;

/** Bytes that are written bit by bit, the lowest bit of a byte first. Not thread-safe. */
final class BitsOut {

  private static final int FULL = 0xFF;
  private static final int HALF_CODE = 3;
  private static final int HALF_DROPPED = 13;

  private byte[] bytes = new byte[64];
  private int bits;

  /** Writes the {@code count} low bits of {@code value}, 0 to 64, the lowest first. */
  void write(long value, int count) {
    int needed = (bits + count + 7) >>> 3;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    long rest = value;
    int left = count;
    while (left > 0) {
      int free = 8 - (bits & 7);
      int taken = Math.min(free, left);
      int part = (int) (rest & (FULL >>> (8 - taken)));
      bytes[bits >>> 3] |= (byte) (part << (bits & 7));
      rest >>>= taken;
      bits += taken;
      left -= taken;
    }
  }

  /**
   * Writes a float without loss: 0 as one bit, 1 as two, what a half float holds exactly as 19, all
   * others as 35.
   */
  void write(float value) {
    int raw = Float.floatToRawIntBits(value);
    if (raw == 0) {
      write(0, 1);
    } else if (value == 1f) {
      write(1, 2);
    } else if (fitsHalf(raw)) {
      write(HALF_CODE, 3);
      write(half(raw), 16);
    } else {
      write(7, 3);
      write(raw & 0xFFFF_FFFFL, 32);
    }
  }

  /** Normal half floats only. */
  private static boolean fitsHalf(int raw) {
    int exponent = ((raw >>> 23) & FULL) - 127;
    return (raw & ((1 << HALF_DROPPED) - 1)) == 0 && exponent >= -14 && exponent <= 15;
  }

  private static int half(int raw) {
    int exponent = ((raw >>> 23) & FULL) - 127 + 15;
    return ((raw >>> 31) << 15) | (exponent << 10) | ((raw >>> HALF_DROPPED) & 0x3FF);
  }

  /** All bits so far, the last byte filled up with zeros. */
  byte[] toBytes() {
    return Arrays.copyOf(bytes, (bits + 7) >>> 3);
  }
}
