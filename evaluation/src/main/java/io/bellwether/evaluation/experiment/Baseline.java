package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;

/**
 * What a difference is divided by to become a share of the control's value.
 *
 * @param value the control's value, not adjusted by any covariate
 * @param squaredError its variance
 * @param scaledSquaredError variance of treatment/control times that value, less what covariates
 *     explain of the difference
 */
record Baseline(double value, double squaredError, double scaledSquaredError) {
  /** Nearer to zero than so many standard errors, a quotient is far from normal. */
  private static final double STABLE_FROM = 5;

  static Baseline of(double control, double treatment, double squaredError) {
    double ratio = treatment / control;
    return new Baseline(control, squaredError, ratio * ratio * squaredError);
  }

  /** Delta method: the relative difference of {@code absolute}. */
  Lift lift(Welch absolute, double treatmentSquaredError) {
    if (value == 0) {
      return new Lift.Withheld(Reason.ZERO_BASELINE);
    }
    if (value < 0) {
      return new Lift.Withheld(Reason.NEGATIVE_BASELINE);
    }
    double difference = absolute.difference() / value;
    double error = Math.sqrt(treatmentSquaredError + scaledSquaredError) / value;
    if (value < STABLE_FROM * Math.sqrt(squaredError)
        || !Double.isFinite(difference)
        || !(error > 0 && error < Double.POSITIVE_INFINITY)) {
      return new Lift.Withheld(Reason.UNSTABLE_BASELINE);
    }
    return new Lift.Known(new Welch(difference, error, absolute.degreesOfFreedom()));
  }
}
