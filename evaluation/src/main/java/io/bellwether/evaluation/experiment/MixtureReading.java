package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.report.Bounds;

/**
 * The mixture sequential probability ratio test, valid at every look.
 *
 * @param logLikelihoodRatio natural logarithm of the mixture's likelihood ratio against no effect
 * @param p one over the ratio, at most 1, at this look
 */
public record MixtureReading(Bounds interval, Figure logLikelihoodRatio, Figure p) {

  static MixtureReading none(String reason) {
    Figure unknown = new Figure.Unknown(reason);
    return new MixtureReading(new Bounds.Absent(reason), unknown, unknown);
  }
}
