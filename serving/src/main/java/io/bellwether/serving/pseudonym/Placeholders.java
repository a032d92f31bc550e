package io.bellwether.serving.pseudonym;

import java.util.Locale;
import java.util.Set;

/**
 * Ids that stand for no subject at all. Clients send them where they know nobody, so that one of
 * them would be a giant unit, all in or all out.
 */
public final class Placeholders {

  private static final Set<String> WORDS =
      Set.of(
          "anonymous",
          "undefined",
          "null",
          "nil",
          "none",
          "nan",
          "unknown",
          "0",
          "[object object]",
          "00000000-0000-0000-0000-000000000000");

  /** No word is longer. */
  private static final int LONGEST = 36;

  private Placeholders() {}

  /** Whether an id is blank or one of these words in any case, with blanks around it or not. */
  public static boolean isPlaceholder(String subjectId) {
    String word = subjectId.strip();
    return word.isEmpty()
        || (word.length() <= LONGEST && WORDS.contains(word.toLowerCase(Locale.ROOT)));
  }
}
