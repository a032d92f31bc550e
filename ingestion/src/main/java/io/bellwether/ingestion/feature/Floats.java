package io.bellwether.ingestion.feature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The one way in which events carry rows of floats: little-endian FP32. */
public final class Floats {

  private Floats() {}

  /** The first {@code count} floats as bytes. */
  public static ByteBuffer toBytes(float[] values, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values, 0, count);
    return bytes;
  }

  /** All floats in {@code bytes}, whose position is left alone. */
  public static float[] of(ByteBuffer bytes) {
    float[] values = new float[bytes.remaining() / Float.BYTES];
    bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }
}
