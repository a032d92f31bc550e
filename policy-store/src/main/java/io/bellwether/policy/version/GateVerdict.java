package io.bellwether.policy.version;

import com.fasterxml.jackson.annotation.JsonValue;

/** The gate's conclusion about a version, in the words of reports. */
public enum GateVerdict {
  PASS("pass"),
  FAIL("fail"),
  NOT_ENOUGH_EVIDENCE("not-enough-evidence");

  private final String word;

  GateVerdict(String word) {
    this.word = word;
  }

  /** The verdict of this word. */
  public static GateVerdict of(String word) {
    for (GateVerdict verdict : values()) {
      if (verdict.word.equals(word)) {
        return verdict;
      }
    }
    throw new IllegalArgumentException(
        "'" + word + "' is not a verdict, expected pass, fail or not-enough-evidence");
  }

  /** The word in JSON. */
  @JsonValue
  public String word() {
    return word;
  }
}
