package io.bellwether.policy.signature;

import io.bellwether.policy.object.ObjectId;
import java.security.PublicKey;
import java.util.regex.Pattern;

/**
 * What names a key: the SHA-256 of its public half as X.509 writes it. Immutable.
 *
 * @param value 64 lower-case hexadecimal digits
 */
public record KeyId(String value) {

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
  private static final int SHOWN = 12;

  public KeyId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "'" + value + "' is not a key's id, expected 64 lower-case hexadecimal digits");
    }
  }

  static KeyId of(PublicKey key) {
    return new KeyId(ObjectId.of(key.getEncoded()).sha256());
  }

  /** The first digits, for people. */
  @Override
  public String toString() {
    return value.substring(0, SHOWN);
  }
}
