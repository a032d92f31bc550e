package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Interval;

/**
 * One method's interval of an estimate.
 *
 * @param level nominal coverage in (0, 1); of the lower bound alone where only that is claimed
 * @param sides what is claimed; with {@link Sides#LOWER} the upper end is the value's largest
 *     possible amount
 * @param bounds the interval, or why this method has none here
 */
public record EstimateInterval(Interval.Method method, double level, Sides sides, Bounds bounds) {

  /** Which ends of an interval are confidence bounds. */
  public enum Sides {
    BOTH,
    LOWER
  }
}
