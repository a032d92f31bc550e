package io.bellwether.serving.experiment;

import java.time.Duration;

/**
 * How an experiment is read. Frozen when it starts.
 *
 * @param method by which it is decided
 * @param alpha chance of a false alarm, in (0, 0.5)
 * @param plannedUnits units of the two compared variants together, for which the sequences are
 *     tuned
 * @param looks for {@link Method#GROUP_SEQUENTIAL}, how often it is looked at
 * @param minimumEffect the smallest relative effect worth finding; above 0
 * @param preperiod how far back of a unit's first exposure its covariates reach; 0: none are kept
 */
public record Analysis(
    Method method,
    double alpha,
    long plannedUnits,
    int looks,
    double minimumEffect,
    Duration preperiod) {

  /** By what an experiment is decided. */
  public enum Method {
    /** A confidence sequence: valid at every look. */
    SEQUENTIAL,
    /** The mixture sequential probability ratio test: valid at every look. */
    MIXTURE_SPRT,
    /** Once, at the planned number of units. */
    FIXED,
    /** At a few looks, with alpha spending. */
    GROUP_SEQUENTIAL,
    /** Posterior chances, for reading only. */
    BAYES
  }
}
