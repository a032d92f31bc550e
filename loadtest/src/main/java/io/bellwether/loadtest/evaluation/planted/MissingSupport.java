package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;

/** Targets that do what the log cannot show. */
record MissingSupport(SoundLog log) {
  private static final double[] EXPLORING = {0.5, 0.3, 0.2, 0};

  List<PlantedFailure> all() {
    return List.of(
        new PlantedFailure("no overlap", "NO_OVERLAP", this::noOverlap),
        new PlantedFailure(
            "a fifth of the target on an item never logged",
            "UNSUPPORTED_MASS",
            () -> log.evaluated(neverLogged())),
        new PlantedFailure(
            "the same, nothing known but propensities",
            WrongPropensities.MEAN_WEIGHT,
            () -> log.evaluated(neverLogged().columns())),
        new PlantedFailure(
            "a logging policy that did not explore", "DETERMINISTIC_LOGGING", this::determined),
        new PlantedFailure(
            "heavy tails whose weights average 1", "effective sample size", this::heavyTails));
  }

  private Outcome noOverlap() {
    return log.evaluated(log.withPolicies(EXPLORING, new double[] {0, 0, 0, 1}));
  }

  private Choices neverLogged() {
    return log.withPolicies(EXPLORING, new double[] {0.2, 0.4, 0.2, 0.2});
  }

  private Outcome determined() {
    return log.evaluated(
        log.withPolicies(new double[] {1, 0, 0, 0}, new double[] {0.4, 0.6, 0, 0}));
  }

  /** A few rows weigh as much as all others: the mean weight is near 1 and proves nothing. */
  private Outcome heavyTails() {
    return log.evaluated(
        log.withPolicies(
            new double[] {0.5, 0.3, 0.1997, 0.0003}, new double[] {0.3, 0.2, 0.2, 0.3}));
  }
}
