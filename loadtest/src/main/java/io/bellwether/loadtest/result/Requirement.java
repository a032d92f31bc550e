package io.bellwether.loadtest.result;

/**
 * One thing that a measurement has to show.
 *
 * @param observed in words
 * @param required in words
 */
public record Requirement(String name, String observed, String required, Status status) {

  public enum Status {
    SHOWN("shown"),
    /** What was measured says the opposite. */
    NOT_SHOWN("not shown"),
    /** What was measured is not enough to tell. */
    NOT_KNOWN("not known");

    private final String words;

    Status(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }

    public static Status of(boolean met) {
      return met ? SHOWN : NOT_SHOWN;
    }
  }
}
