package io.bellwether.evaluation.experiment;

import java.util.function.DoubleUnaryOperator;

/**
 * The zero of a continuous function between two points at which its signs differ.
 *
 * <p>Source: Ridders, "A New Algorithm for Computing a Single Root of a Real Continuous Function",
 * 1979: each step at least halves the bracket.
 */
final class Root {
  private static final int MAX_STEPS = 200;
  private static final double PRECISION = 1e-14;

  private Root() {}

  static double of(DoubleUnaryOperator function, double from, double to) {
    double low = from;
    double high = to;
    double atLow = function.applyAsDouble(low);
    double atHigh = function.applyAsDouble(high);
    if (atLow == 0) {
      return low;
    }
    if (atHigh == 0) {
      return high;
    }
    if (!(atLow < 0 == atHigh > 0)) {
      throw new ArithmeticException(
          "no zero between %s and %s: %s, %s".formatted(from, to, atLow, atHigh));
    }
    for (int step = 0; step < MAX_STEPS; step++) {
      double middle = (low + high) / 2;
      double half = (high - low) / 2;
      if (half <= PRECISION * Math.max(1, Math.abs(middle))) {
        return middle;
      }
      double atMiddle = function.applyAsDouble(middle);
      if (atMiddle == 0) {
        return middle;
      }
      double ratio = atMiddle / Math.sqrt(atMiddle * atMiddle - atLow * atHigh);
      double next = middle + half * (atLow > atHigh ? ratio : -ratio);
      double atNext = function.applyAsDouble(next);
      if (atNext == 0 || Math.min(next - low, high - next) < PRECISION * Math.abs(next)) {
        return next;
      }
      boolean middleIsLow = atMiddle < 0 == atLow < 0;
      boolean nextIsLow = atNext < 0 == atLow < 0;
      if (middleIsLow != nextIsLow) {
        double inner = middleIsLow ? middle : next;
        double outer = middleIsLow ? next : middle;
        low = inner;
        atLow = middleIsLow ? atMiddle : atNext;
        high = outer;
        atHigh = middleIsLow ? atNext : atMiddle;
      } else if (nextIsLow) {
        low = next;
        atLow = atNext;
      } else {
        high = next;
        atHigh = atNext;
      }
    }
    return (low + high) / 2;
  }
}
