package io.bellwether.ingestion.feature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** The one way in which events carry rows of floats: little-endian FP32. */
public final class Floats {

  private Floats() {}

  /** The first {@code count} floats as bytes. */
  public static ByteBuffer toBytes(float[] values, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values, 0, count);
    return bytes;
  }

  /** The floats in {@code bytes}, from index 0 to the capacity, without a copy. */
  public static FloatBuffer view(ByteBuffer bytes) {
    return bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
  }

  /** All floats in {@code bytes}, whose position is left alone. */
  public static float[] of(ByteBuffer bytes) {
    float[] values = new float[bytes.remaining() / Float.BYTES];
    bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }
}
