package io.bellwether.loadtest.learning.tabular;

/**
 * A bound on the expected discounted sum of a signal.
 *
 * @param signal index of the signal, at least 1
 * @param sign 1 where the sum is to be at least the bound, -1 where at most
 * @param bound in the signal's own unit, not 0
 */
record Limit(int signal, int sign, double bound) {

  Limit {
    if (signal < 1 || (sign != 1 && sign != -1) || bound == 0) {
      throw new IllegalArgumentException(
          "signal " + signal + ", sign " + sign + ", bound " + bound + " are no limit");
    }
  }

  static Limit atLeast(int signal, double bound) {
    return new Limit(signal, 1, bound);
  }

  static Limit atMost(int signal, double bound) {
    return new Limit(signal, -1, bound);
  }

  /** How far a value is from keeping the limit, in the signal's unit; at most 0 where kept. */
  double shortfall(double value) {
    return sign * (bound - value);
  }

  /** The part of the bound by which a value breaks it; 0 where kept. */
  double violationShare(double value) {
    return Math.max(0, shortfall(value)) / Math.abs(bound);
  }
}
