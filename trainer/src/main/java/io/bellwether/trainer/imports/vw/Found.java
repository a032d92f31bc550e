package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.JsonNode;

/** What was found in a line, in the words of a reason. */
final class Found {

  private static final int MAX = 60;

  private Found() {}

  /** A value, or its kind where it is large. */
  static String in(JsonNode node) {
    if (node.isMissingNode()) {
      return "missing";
    }
    if (node.isArray()) {
      return "an array of " + node.size();
    }
    if (node.isObject()) {
      return "an object";
    }
    return cut(node.isNumber() ? node.asText() : node.toString());
  }

  /** A text in quotes. */
  static String in(String text) {
    return "'" + cut(text) + "'";
  }

  private static String cut(String text) {
    if (text.length() <= MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX - 1)) ? MAX - 1 : MAX;
    return text.substring(0, end) + "...";
  }
}
