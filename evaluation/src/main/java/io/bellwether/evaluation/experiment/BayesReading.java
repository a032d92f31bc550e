package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * What to believe about the relative effect after the data, starting from the declared prior. For
 * reporting: no licence to stop whenever it looks good.
 *
 * @param chanceToWin in [0, 1]
 * @param lossOfTreatment expected share of the control's value lost by shipping the treatment
 * @param lossOfControl the same by keeping the control
 * @param interval 95 % of the relative effect
 * @param label to be shown next to it
 */
public record BayesReading(
    Figure chanceToWin,
    Figure lossOfTreatment,
    Figure lossOfControl,
    Bounds interval,
    String label) {
  static final String LABEL =
      "Reporting only: looking again and again and stopping when this looks good raises the error.";

  static BayesReading none(String reason) {
    Figure unknown = new Figure.Unknown(reason);
    return new BayesReading(unknown, unknown, unknown, new Bounds.Absent(reason), LABEL);
  }
}
