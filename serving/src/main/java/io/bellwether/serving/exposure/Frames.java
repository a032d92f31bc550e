package io.bellwether.serving.exposure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Several byte arrays in one, as Redis keeps them: each with its length, four bytes, before it. The
 * first byte is 0 unless the first array has 16 MiB, so that no event in Avro's single-object
 * encoding, which begins with 0xC3, looks like frames.
 */
public final class Frames {

  private Frames() {}

  /** All of these in one. */
  public static byte[] join(byte[] first, byte[]... others) {
    int length = Integer.BYTES + first.length;
    for (byte[] other : others) {
      length += Integer.BYTES + other.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length).putInt(first.length).put(first);
    for (byte[] other : others) {
      joined.putInt(other.length).put(other);
    }
    return joined.array();
  }

  /** What was joined, in its order. */
  public static List<byte[]> split(byte[] joined) {
    List<byte[]> parts = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(joined);
    while (left.hasRemaining()) {
      byte[] part = new byte[left.getInt()];
      left.get(part);
      parts.add(part);
    }
    return parts;
  }
}
