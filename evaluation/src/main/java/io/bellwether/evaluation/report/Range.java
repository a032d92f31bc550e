package io.bellwether.evaluation.report;

/** The declared least and greatest value of a signal on one row. */
public record Range(double low, double high) {

  public static final Range FLAG = new Range(0, 1);

  public Range {
    if (!(low < high) || Double.isInfinite(low) || Double.isInfinite(high)) {
      throw new IllegalArgumentException("no range: [%s, %s]".formatted(low, high));
    }
  }

  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
