package io.bellwether.serving.request;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A text of a caller's own as it stands in a path, percent-encoded. */
public final class PathText {

  private PathText() {}

  /** Byte for byte: a plus is a plus, and what is no UTF-8 is refused and never replaced. */
  public static String decoded(String encoded) {
    byte[] raw = encoded.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(raw.length);
    for (int index = 0; index < raw.length; index++) {
      if (raw[index] != '%') {
        bytes.put(raw[index]);
        continue;
      }
      int high = index + 2 <= raw.length - 1 ? Character.digit(raw[index + 1], 16) : -1;
      int low = index + 2 <= raw.length - 1 ? Character.digit(raw[index + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "The id in the path is not percent-encoded UTF-8.");
      }
      bytes.put((byte) (high * 16 + low));
      index += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST, "The id in the path is not percent-encoded UTF-8.");
    }
  }
}
