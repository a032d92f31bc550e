package io.bellwether.evaluation.report;

/**
 * Which part of the log a value is about.
 *
 * @param dimension {@code position} for a place in the slate, the segment's dimension, or empty
 * @param label the 0-based position or the segment's label, or empty
 */
public record Scope(Kind kind, String dimension, String label) {

  public enum Kind {
    ALL,
    POSITION,
    SEGMENT
  }

  /** The whole log. */
  public static final Scope ALL = new Scope(Kind.ALL, "", "");

  public static Scope position(int position) {
    return new Scope(Kind.POSITION, "position", Integer.toString(position));
  }

  public static Scope segment(String dimension, String label) {
    return new Scope(Kind.SEGMENT, dimension, label);
  }

  /** For instance "position 2" or "country = NL"; empty for the whole log. */
  public String words() {
    return switch (kind) {
      case ALL -> "";
      case POSITION -> dimension + " " + label;
      case SEGMENT -> dimension + " = " + label;
    };
  }
}
