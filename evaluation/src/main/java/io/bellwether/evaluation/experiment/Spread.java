package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.SampleSize;

/** Variances of a metric between the units of each variant, in the metric's squared unit. */
public record Spread(double control, double treatment) {

  public Spread {
    if (!(control >= 0 && treatment >= 0)
        || !(control + treatment > 0)
        || !Double.isFinite(control + treatment)) {
      throw new IllegalArgumentException(
          "variances %s of control, %s of treatment".formatted(control, treatment));
    }
  }

  /** Of a mean, with one standard deviation in both variants. */
  public static Spread mean(double standardDeviation) {
    double variance = standardDeviation * standardDeviation;
    return new Spread(variance, variance);
  }

  /** Of two rates in [0, 1]. */
  public static Spread rates(double control, double treatment) {
    return new Spread(control * (1 - control), treatment * (1 - treatment));
  }

  /** What a covariate with that correlation to the metric leaves. */
  public Spread withCovariate(double correlation) {
    double factor = SampleSize.covariateFactor(correlation);
    return new Spread(factor * control, factor * treatment);
  }

  double sum() {
    return control + treatment;
  }
}
