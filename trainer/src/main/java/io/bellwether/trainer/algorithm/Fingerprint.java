package io.bellwether.trainer.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** SHA-256 of numbers, their counts included. Confined to one thread. */
final class Fingerprint {
  private static final int CHUNK = 8192;

  private final MessageDigest digest;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK * Long.BYTES);

  Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  static String of(LearnerData data) {
    return new Fingerprint()
        .add(data.context())
        .add(data.history())
        .add(data.itemOffsets())
        .add(data.items())
        .add(data.closed())
        .add(data.action())
        .add(data.propensity())
        .add(data.rewards())
        .add(data.terminated())
        .add(data.next())
        .add(data.rowId())
        .add(data.weight())
        .hex();
  }

  static String of(Given given) {
    return new Fingerprint().add(given.candidates()).add(given.rows()).add(given.weights()).hex();
  }

  static String of(byte[] bytes) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.digest.update(bytes);
    return fingerprint.hex();
  }

  private Fingerprint add(Map<String, float[]> named) {
    SortedMap<String, float[]> sorted = new TreeMap<>(named);
    count(sorted.size());
    sorted.forEach(
        (name, values) -> {
          byte[] bytes = name.getBytes(UTF_8);
          count(bytes.length);
          flush();
          digest.update(bytes);
          add(values);
        });
    return this;
  }

  private Fingerprint add(float[] values) {
    count(values.length);
    for (float value : values) {
      room().putInt(Float.floatToRawIntBits(value));
    }
    return this;
  }

  private Fingerprint add(double[] values) {
    count(values.length);
    for (double value : values) {
      room().putDouble(value);
    }
    return this;
  }

  private Fingerprint add(int[] values) {
    count(values.length);
    for (int value : values) {
      room().putInt(value);
    }
    return this;
  }

  private Fingerprint add(long[] values) {
    count(values.length);
    for (long value : values) {
      room().putLong(value);
    }
    return this;
  }

  private Fingerprint add(boolean[] values) {
    count(values.length);
    for (boolean value : values) {
      room().put((byte) (value ? 1 : 0));
    }
    return this;
  }

  private void count(int values) {
    room().putInt(values);
  }

  private ByteBuffer room() {
    if (chunk.remaining() < Long.BYTES) {
      flush();
    }
    return chunk;
  }

  private void flush() {
    chunk.flip();
    digest.update(chunk);
    chunk.clear();
  }

  private String hex() {
    flush();
    return HexFormat.of().formatHex(digest.digest());
  }
}
