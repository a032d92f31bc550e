package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.List;
import java.util.Optional;

/** Estimates of one signal of one log, counted against their truth. */
record LogValues(DecisionColumns columns, UnitIndex units, IntervalTally tally) {
  private static final double LEVEL = 0.95;
  private static final Estimate NONE = new Estimate.Refused("NO_OVERLAP");

  Optional<Influence> influence(Estimator estimator) {
    return Influence.of(estimator, columns);
  }

  Estimate estimate(Estimator estimator) {
    return influence(estimator).map(each -> each.estimate(units)).orElse(NONE);
  }

  /** Counts Student's intervals of estimators, in one pass. */
  void student(Expectation expectation, double truth, List<Estimator> estimators) {
    List<Optional<Influence>> influences = Influence.ofAll(estimators, columns);
    List<Influence> present = influences.stream().flatMap(Optional::stream).toList();
    List<Estimate> estimates = Influence.estimates(present, units);
    for (int at = 0; at < estimators.size(); at++) {
      Estimate estimate =
          influences.get(at).map(each -> estimates.get(present.indexOf(each))).orElse(NONE);
      tally.add(estimators.get(at).name(), expectation, estimate, truth);
    }
  }

  /** Counts percentile and BCa intervals of estimators, from the same resamples. */
  void bootstrap(
      Expectation expectation, double truth, UnitBootstrap bootstrap, List<Estimator> estimators) {
    List<Optional<BootstrapDistribution>> found = bootstrap.of(estimators, columns, units);
    for (int at = 0; at < estimators.size(); at++) {
      String name = estimators.get(at).name();
      Optional<Interval> percentile = found.get(at).map(each -> each.percentile(LEVEL));
      Optional<Interval> corrected = found.get(at).map(each -> each.bca(LEVEL));
      tally.add(name, "percentile", expectation, percentile, truth);
      tally.add(name, "bca", expectation, corrected, truth);
    }
  }

  /** Counts the interval of the difference of two estimates of the same decisions. */
  void difference(
      String name, double truth, Optional<Influence> target, Optional<Influence> baseline) {
    Estimate estimate =
        target.isPresent() && baseline.isPresent()
            ? target.get().combine(1, baseline.get(), -1, 0).estimate(units)
            : NONE;
    tally.add(name, Expectation.EXACT, estimate, truth);
  }
}
