package io.bellwether.policy.version;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.bellwether.policy.object.ObjectId;
import java.util.regex.Pattern;

/**
 * The id of a policy version: {@code v} and the first twelve hexadecimal digits of the SHA-256 of
 * its manifest's bytes. Immutable.
 */
public record VersionId(@JsonValue String value) {

  private static final Pattern FORM = Pattern.compile("v[0-9a-f]{12}");
  private static final int DIGITS = 12;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public VersionId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "'" + value + "' is not a version, expected v and twelve hexadecimal digits");
    }
  }

  static VersionId of(ObjectId manifest) {
    return new VersionId("v" + manifest.sha256().substring(0, DIGITS));
  }

  @Override
  public String toString() {
    return value;
  }
}
