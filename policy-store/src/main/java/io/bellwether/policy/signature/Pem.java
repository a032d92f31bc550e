package io.bellwether.policy.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of keys (RFC 7468): base64 between two lines that name what it is. */
final class Pem {

  private static final int LINE = 64;

  private Pem() {}

  static String write(String label, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
  }

  /**
   * The bytes of the first block of this label.
   *
   * @throws IllegalArgumentException where there is none
   */
  static byte[] read(String label, String text) {
    Matcher block =
        Pattern.compile("-----BEGIN " + label + "-----([A-Za-z0-9+/=\\s]+)-----END " + label)
            .matcher(text);
    if (!block.find()) {
      throw new IllegalArgumentException("there is no block BEGIN " + label + " in it");
    }
    return Base64.getMimeDecoder().decode(block.group(1));
  }
}
