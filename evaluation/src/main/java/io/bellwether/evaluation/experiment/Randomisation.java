package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import java.util.Arrays;
import java.util.Optional;

/**
 * A difference compared with what other designs, equally likely beforehand, would have shown of the
 * same blocks if the treatment changed each by the same amount. Immutable.
 *
 * <p>For a change by δ a design with difference d and overlap c with the actual treatment would
 * have shown d − δc in place of D − δ. It is at least as far from 0 exactly for δ between
 * (D−d)/(1−c) and (D+d)/(1+c), and D lies between these; so the p-value falls on both sides of D
 * and inverts into an interval without search.
 */
public final class Randomisation {
  /** Up to so many designs all are tried. */
  static final int EXHAUSTIVE_UP_TO = 200_000;

  /** Else so many are drawn. */
  static final int DRAWS = 20_000;

  /** Differences that agree up to rounding are equal. */
  private static final double ROUNDING = 1e-10;

  private final double actual;
  private final boolean exhaustive;
  private final double p;
  private final double[] lowest;
  private final double[] highest;

  private Randomisation(
      double actual, boolean exhaustive, double p, double[] lowest, double[] highest) {
    this.actual = actual;
    this.exhaustive = exhaustive;
    this.p = p;
    this.lowest = lowest;
    this.highest = highest;
  }

  /** The actual design is one of them. */
  static Randomisation of(
      double actual, double[] differences, double[] overlaps, boolean exhaustive) {
    int designs = differences.length;
    double[] lowest = new double[designs];
    double[] highest = new double[designs];
    double slack = ROUNDING * Math.max(Math.abs(actual), largest(differences));
    int asFar = 0;
    for (int design = 0; design < designs; design++) {
      Range range = Range.of(actual, differences[design], overlaps[design]);
      lowest[design] = range.low();
      highest[design] = range.high();
      asFar += Math.abs(differences[design]) >= Math.abs(actual) - slack ? 1 : 0;
    }
    Arrays.sort(lowest);
    Arrays.sort(highest);
    return new Randomisation(actual, exhaustive, (double) asFar / designs, lowest, highest);
  }

  /** Two-sided, of "the treatment changes nothing"; at least 1/{@link #designs}. */
  public double p() {
    return p;
  }

  /** All that there are, or those drawn and the actual one. */
  public int designs() {
    return lowest.length;
  }

  public boolean isExhaustive() {
    return exhaustive;
  }

  /** Every change that is not rejected; empty if there are too few designs to reject any. */
  public Optional<Interval> interval(double level) {
    int tooFew = (int) Math.floor((1 - level) * designs() + ROUNDING);
    double low = Math.min(actual, lowest[tooFew]);
    double high = Math.max(actual, highest[designs() - 1 - tooFew]);
    return Double.isInfinite(low) || Double.isInfinite(high)
        ? Optional.empty()
        : Optional.of(new Interval(Interval.Method.RANDOMISATION, level, low, high));
  }

  /** The changes for which a design would have been at least as far from 0. */
  private record Range(double low, double high) {

    static Range of(double actual, double difference, double overlap) {
      if (1 - Math.abs(overlap) <= ROUNDING) {
        // The actual design and its mirror are exactly as far, whatever the change.
        return new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
      }
      double one = (actual - difference) / (1 - overlap);
      double other = (actual + difference) / (1 + overlap);
      return new Range(Math.min(one, other), Math.max(one, other));
    }
  }

  private static double largest(double[] values) {
    double largest = 0;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
