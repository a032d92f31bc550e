package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Normal;

/**
 * Whether treatment is at most a margin worse than control, by the normal approximation at one
 * planned look. Neither established nor refuted means that more units are needed.
 *
 * @param difference treatment minus control, turned so that larger is better
 * @param standardError above 0
 * @param margin how much worse is still accepted, at least 0
 * @param alpha chance of being wrong on either side, in (0, 0.5)
 */
public record NonInferiority(double difference, double standardError, double margin, double alpha) {

  public NonInferiority {
    if (!Double.isFinite(difference)
        || !(standardError > 0 && standardError < Double.POSITIVE_INFINITY)
        || !(margin >= 0 && margin < Double.POSITIVE_INFINITY)
        || !(alpha > 0 && alpha < 0.5)) {
      throw new IllegalArgumentException(
          "difference %s, standard error %s, margin %s, alpha %s"
              .formatted(difference, standardError, margin, alpha));
    }
  }

  /** Standard errors between the difference and the margin; positive on the accepted side. */
  public double z() {
    return (difference + margin) / standardError;
  }

  /** One-sided p-value of "worse by the margin or more". */
  public double p() {
    return Normal.cumulative(-z());
  }

  /** The true difference is below it with probability at most alpha. */
  public double lower() {
    return difference - Normal.quantile(1 - alpha) * standardError;
  }

  /** The true difference is above it with probability at most alpha. */
  public double upper() {
    return difference + Normal.quantile(1 - alpha) * standardError;
  }

  public boolean established() {
    return lower() > -margin;
  }

  public boolean refuted() {
    return upper() < -margin;
  }
}
