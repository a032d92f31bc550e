package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * The one planned read-out of Welch's test, hidden until the planned size or date.
 *
 * @param p two-sided
 * @param exactP Fisher's, for conversions with fewer than ten units in a cell
 */
public record FixedReading(Bounds interval, Figure p, Figure exactP) {

  static FixedReading none(String reason) {
    return new FixedReading(
        new Bounds.Absent(reason), new Figure.Unknown(reason), new Figure.Unknown(reason));
  }
}
