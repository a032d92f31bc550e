package io.bellwether.serving.experiment;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The bucket of a unit: the first 8 bytes, big-endian and unsigned, of SHA-256 over the UTF-8 of
 * {@code salt:unit}, modulo 10000. Units are used byte for byte: nothing is trimmed, folded or
 * normalised. Thread-safe; a call costs one hash and no object, once a thread has called it.
 */
public final class Bucket {

  /** How many buckets there are. */
  public static final int COUNT = 10_000;

  private static final int HASH_BYTES = 32;

  private Bucket() {}

  /**
   * The bucket of a unit.
   *
   * @param salt letters, digits, {@code .}, {@code _} and {@code -}, so that the colon after it is
   *     the first one
   * @return 0 to 9999
   */
  public static int of(String salt, String unit) {
    return Hasher.OF_THREAD.get().bucket(salt, unit);
  }

  /** What a thread needs to hash, kept from call to call. */
  private static final class Hasher {

    static final ThreadLocal<Hasher> OF_THREAD = ThreadLocal.withInitial(Hasher::new);

    private final MessageDigest digest = sha256();
    private final byte[] hash = new byte[HASH_BYTES];
    private byte[] text = new byte[256];

    int bucket(String salt, String unit) {
      int length = append(0, salt);
      text[length++] = ':';
      length = append(length, unit);
      digest.update(text, 0, length);
      try {
        digest.digest(hash, 0, HASH_BYTES);
      } catch (DigestException e) {
        throw new IllegalStateException("SHA-256 has 32 bytes", e);
      }
      long first = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        first = (first << Byte.SIZE) | (hash[i] & 0xff);
      }
      return (int) Long.remainderUnsigned(first, COUNT);
    }

    /** Appends UTF-8, and leaves room for one byte more. */
    private int append(int at, String characters) {
      int length = characters.length();
      grow(at + length + 1);
      for (int i = 0; i < length; i++) {
        char c = characters.charAt(i);
        if (c >= 0x80) {
          return appendEncoded(at, characters);
        }
        text[at + i] = (byte) c;
      }
      return at + length;
    }

    private int appendEncoded(int at, String characters) {
      byte[] encoded = characters.getBytes(StandardCharsets.UTF_8);
      grow(at + encoded.length + 1);
      System.arraycopy(encoded, 0, text, at, encoded.length);
      return at + encoded.length;
    }

    private void grow(int size) {
      if (size > text.length) {
        text = Arrays.copyOf(text, Math.max(size, 2 * text.length));
      }
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }
  }
}
