package io.bellwether.loadtest.learning;

import io.bellwether.evaluation.interval.Interval;

/**
 * A number that is compared between runs.
 *
 * @param unit in a word, such as {@code ratio}
 * @param low end of its 95 % interval; the value itself where it has none
 * @param high end of its 95 % interval; the value itself where it has none
 * @param note what it rests on, in words; may be empty
 */
public record Figure(String name, double value, String unit, double low, double high, String note) {

  public Figure {
    if (!(Double.isFinite(value) && Double.isFinite(low) && Double.isFinite(high))) {
      throw new IllegalArgumentException(
          "the figure %s is %s in [%s, %s]".formatted(name, value, low, high));
    }
  }

  /** One without an interval. */
  public static Figure exact(String name, double value, String unit, String note) {
    return new Figure(name, value, unit, value, value, note);
  }

  static Figure of(String name, double value, String unit, Interval interval, String note) {
    return new Figure(name, value, unit, interval.lower(), interval.upper(), note);
  }
}
