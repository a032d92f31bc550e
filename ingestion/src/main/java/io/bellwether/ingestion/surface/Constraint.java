package io.bellwether.ingestion.surface;

/**
 * A promise about one signal's mean per decision: trained for, gated on offline, guarded online.
 *
 * @param signal the signal's name
 * @param direction whether {@code bound} is a least or a most
 * @param bound a value in the signal's unit, or a factor of the reference's value
 * @param relative whether {@code bound} is a factor; the reference is the champion, or the logging
 *     policy while there is none
 */
public record Constraint(String signal, Direction direction, double bound, boolean relative) {

  /** Which side of the bound is kept. */
  public enum Direction {
    AT_LEAST,
    AT_MOST
  }

  /**
   * The promise as the surface file writes it, for instance {@code like at-least 98% of champion}.
   */
  public String words() {
    String side = direction == Direction.AT_LEAST ? "at-least" : "at-most";
    String limit = relative ? trimmed(bound * 100) + "% of champion" : trimmed(bound);
    return signal + " " + side + " " + limit;
  }

  /** Whether the other one bounds the same side, or nothing can keep both. */
  boolean excludes(Constraint other) {
    if (!signal.equals(other.signal) || relative != other.relative) {
      return false;
    }
    boolean crossed = direction == Direction.AT_LEAST ? bound > other.bound : bound < other.bound;
    return direction == other.direction || crossed;
  }

  private static String trimmed(double value) {
    double rounded = Math.round(value * 1e6) / 1e6;
    return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
  }
}
