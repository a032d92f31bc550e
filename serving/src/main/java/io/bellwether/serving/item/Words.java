package io.bellwether.serving.item;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The texts of one category feature, each with a code of its own: 0 is none, and the others count
 * up from 1 in the order in which they came. Codes never change, so every table of a surface shares
 * one. Written by one thread, read by any.
 */
final class Words {

  /** What no text has. */
  static final int NONE = 0;

  /** A million items with a text of their own each; beyond that texts are not told apart. */
  private static final int MOST = 1 << 20;

  private final Map<String, Integer> codes = new ConcurrentHashMap<>();
  private volatile String[] texts = {""};
  private int size = 1;

  /** The code of a text, which may be new; that of none once there are too many. */
  int put(String text) {
    Integer known = codes.get(text);
    if (known != null) {
      return known;
    }
    if (size > MOST) {
      return NONE;
    }
    if (size == texts.length) {
      texts = Arrays.copyOf(texts, 2 * size);
    }
    texts[size] = text;
    codes.put(text, size);
    return size++;
  }

  /** The code of a text; -1 where no item ever had it. */
  int code(String text) {
    return codes.getOrDefault(text, -1);
  }

  /** The text of a code that a table holds. */
  String text(int code) {
    return texts[code];
  }
}
