package io.bellwether.evaluation.interval;

/**
 * The smallest always-valid p-value of one question so far, which is itself always valid: evidence
 * once reached is not lost at a later look. Immutable.
 *
 * @param value in [0, 1], 1 before the first look
 */
public record RunningP(double value) {

  public RunningP {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("a p-value lies in [0, 1], found " + value);
    }
  }

  public static RunningP start() {
    return new RunningP(1);
  }

  /** With the p-value of one more look. */
  public RunningP after(double p) {
    return new RunningP(Math.min(value, p));
  }
}
