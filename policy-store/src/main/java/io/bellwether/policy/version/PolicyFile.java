package io.bellwether.policy.version;

import io.bellwether.policy.object.ObjectId;
import java.util.regex.Pattern;

/**
 * One file of a policy version. Immutable.
 *
 * @param path relative name inside the version, such as {@code model.onnx}
 * @param sha256 64 lower-case hexadecimal digits
 * @param size bytes
 */
public record PolicyFile(String path, String sha256, long size) {

  private static final Pattern PATH =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

  public PolicyFile {
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "'" + path + "' is not a plain relative path of a policy's file");
    }
    new ObjectId(sha256, size);
  }

  ObjectId object() {
    return new ObjectId(sha256, size);
  }
}
