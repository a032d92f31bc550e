package io.bellwether.policy.version;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A name that points to one version of a policy, and can be moved to another. */
public enum Alias {
  /** Serves by default. */
  CHAMPION,
  /** Gets an experiment's traffic. */
  CHALLENGER,
  /** Is scored and not shown. */
  SHADOW;

  /** The alias of this lower-case word. */
  public static Alias of(String word) {
    for (Alias alias : values()) {
      if (alias.word().equals(word)) {
        return alias;
      }
    }
    throw new IllegalArgumentException(
        "'" + word + "' is not an alias, expected champion, challenger or shadow");
  }

  /** The alias in lower case, as JSON and paths have it. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean needsVerdict() {
    return this != SHADOW;
  }
}
