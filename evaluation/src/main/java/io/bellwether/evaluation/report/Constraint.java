package io.bellwether.evaluation.report;

/** A promise about a signal's value per decision, absolute or against the baseline. Always hard. */
public record Constraint(String signal, Side side, Bound bound) {

  public enum Side {
    AT_LEAST,
    AT_MOST
  }

  /** Where the promise stands. */
  public sealed interface Bound {

    /** In the signal's unit per decision. */
    record Absolute(double value) implements Bound {
      @Override
      public Contrast contrast(String signal, int sign) {
        return new Contrast(signal, sign, 0, value);
      }

      @Override
      public String words() {
        return Words.declared(value);
      }
    }

    /** A multiple of the baseline's value on the same decisions, such as 0.98. */
    record OfBaseline(double factor) implements Bound {
      @Override
      public Contrast contrast(String signal, int sign) {
        return new Contrast(signal, sign, factor, 0);
      }

      @Override
      public String words() {
        return Words.declared(100 * factor) + " % of the baseline";
      }
    }

    Contrast contrast(String signal, int sign);

    String words();
  }

  public static Constraint atLeast(String signal, double value) {
    return new Constraint(signal, Side.AT_LEAST, new Bound.Absolute(value));
  }

  public static Constraint atMost(String signal, double value) {
    return new Constraint(signal, Side.AT_MOST, new Bound.Absolute(value));
  }

  public static Constraint atLeastOfBaseline(String signal, double factor) {
    return new Constraint(signal, Side.AT_LEAST, new Bound.OfBaseline(factor));
  }

  public static Constraint atMostOfBaseline(String signal, double factor) {
    return new Constraint(signal, Side.AT_MOST, new Bound.OfBaseline(factor));
  }

  Contrast contrast() {
    return bound.contrast(signal, side == Side.AT_LEAST ? 1 : -1);
  }

  /** For instance "like at least 98 % of the baseline". */
  public String words() {
    return "%s %s %s"
        .formatted(signal, side == Side.AT_LEAST ? "at least" : "at most", bound.words());
  }
}
