package io.bellwether.loadtest.serving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a generator needs of the head of an HTTP/1.1 answer, read from its bytes without making a
 * text of each line. Stateless.
 */
final class HttpHead {
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private HttpHead() {}

  /** Where the body begins; -1 while the head is not whole. */
  static int end(byte[] bytes, int length) {
    for (int i = 3; i < length; i++) {
      if (bytes[i] == '\n'
          && bytes[i - 1] == '\r'
          && bytes[i - 2] == '\n'
          && bytes[i - 3] == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  static int status(byte[] bytes) {
    return 100 * digit(bytes[STATUS_AT])
        + 10 * digit(bytes[STATUS_AT + 1])
        + digit(bytes[STATUS_AT + 2]);
  }

  /**
   * Length of the body.
   *
   * @param end of the head
   * @throws IOException where the head does not say; our service always does
   */
  static int bodyBytes(byte[] bytes, int end, int status) throws IOException {
    int at = valueOf(bytes, end, "content-length");
    if (at < 0) {
      if (status == NO_CONTENT || status == NOT_MODIFIED) {
        return 0;
      }
      throw new IOException(
          "an answer of unknown length: " + new String(bytes, 0, end, StandardCharsets.ISO_8859_1));
    }
    int length = 0;
    for (; bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      length = 10 * length + digit(bytes[at]);
    }
    return length;
  }

  /** Whether a field is there. */
  static boolean has(byte[] bytes, int end, String lowerCaseName) {
    return valueOf(bytes, end, lowerCaseName) >= 0;
  }

  /** Where the value of a field begins; -1 where the field is not there. */
  private static int valueOf(byte[] bytes, int end, String lowerCaseName) {
    for (int line = 0; line < end; line = nextLine(bytes, line, end)) {
      int at = line;
      int matched = 0;
      while (matched < lowerCaseName.length()
          && at < end
          && lower(bytes[at]) == lowerCaseName.charAt(matched)) {
        at++;
        matched++;
      }
      if (matched == lowerCaseName.length() && at < end && bytes[at] == ':') {
        at++;
        while (at < end && bytes[at] == ' ') {
          at++;
        }
        return at;
      }
    }
    return -1;
  }

  private static int nextLine(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  private static int lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
  }

  private static int digit(byte character) {
    return character - '0';
  }
}
