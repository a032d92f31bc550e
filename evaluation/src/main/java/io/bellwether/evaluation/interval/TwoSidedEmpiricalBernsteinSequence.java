package io.bellwether.evaluation.interval;

/**
 * A two-sided confidence sequence for the mean of values in [0, 1]: with probability at least
 * {@code level} the mean is inside after every value at once. It is {@link
 * EmpiricalBernsteinSequence} for the values and for one minus the values, each with half of the
 * miss probability. Constant memory, confined to one thread.
 */
public final class TwoSidedEmpiricalBernsteinSequence {
  private final double level;
  private final EmpiricalBernsteinSequence below;
  private final EmpiricalBernsteinSequence above;
  private double lower;
  private double upper = 1;

  public TwoSidedEmpiricalBernsteinSequence(double level) {
    this.level = level;
    below = new EmpiricalBernsteinSequence((1 - level) / 2);
    above = new EmpiricalBernsteinSequence((1 - level) / 2);
  }

  public void add(double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("values lie in [0, 1], found " + value);
    }
    below.add(value);
    above.add(1 - value);
    double nextLower = Math.max(lower, below.lower());
    double nextUpper = Math.min(upper, 1 - above.lower());
    if (nextLower <= nextUpper) {
      lower = nextLower;
      upper = nextUpper;
    }
  }

  /** The interval after the values so far. */
  public Interval latest() {
    double low = below.lower();
    double high = 1 - above.lower();
    return interval(Math.min(low, high), Math.max(low, high));
  }

  /** The intersection of the intervals so far, which is as valid as the latest. */
  public Interval best() {
    return interval(lower, upper);
  }

  private Interval interval(double low, double high) {
    return new Interval(Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE, level, low, high);
  }
}
