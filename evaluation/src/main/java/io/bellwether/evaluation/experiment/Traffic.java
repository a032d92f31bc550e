package io.bellwether.evaluation.experiment;

/**
 * What comes in for an experiment.
 *
 * @param unitsPerDay units never seen before that its targeting lets in, per day
 * @param controlShare share of them in the control, in (0, 1)
 * @param treatmentShare share of them in the treatment that is compared, in (0, 1)
 */
public record Traffic(double unitsPerDay, double controlShare, double treatmentShare) {
  private static final double ROUNDING = 1e-9;

  public Traffic {
    if (!(unitsPerDay > 0 && unitsPerDay < Double.POSITIVE_INFINITY)
        || !(controlShare > 0
            && treatmentShare > 0
            && controlShare + treatmentShare <= 1 + ROUNDING)) {
      throw new IllegalArgumentException(
          "%s units per day, shares %s and %s"
              .formatted(unitsPerDay, controlShare, treatmentShare));
    }
  }
}
