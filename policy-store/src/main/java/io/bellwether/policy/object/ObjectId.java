package io.bellwether.policy.object;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of an object: what its bytes hash to, and how many there are. Immutable.
 *
 * @param sha256 64 lower-case hexadecimal digits
 * @param size bytes, at least 0
 */
public record ObjectId(String sha256, long size) {

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  public ObjectId {
    if (!SHA256.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "'" + sha256 + "' is not a SHA-256 in lower-case hexadecimal digits");
    }
    if (size < 0) {
      throw new IllegalArgumentException("an object of " + size + " bytes");
    }
  }

  /** The name that these bytes have. */
  public static ObjectId of(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new ObjectId(HexFormat.of().formatHex(digest), bytes.length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
