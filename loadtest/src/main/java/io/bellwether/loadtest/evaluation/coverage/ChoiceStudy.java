package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.interval.EmpiricalBernstein;
import io.bellwether.evaluation.interval.EmpiricalBernsteinSequence;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.TruncatedEmpiricalBernstein;
import io.bellwether.evaluation.offpolicy.ClippedIps;
import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;
import java.util.Optional;

/** Decisions for one item: every way to make an interval, and differences between policies. */
record ChoiceStudy(int decisions, int replicates, ChoiceWorld world) implements CoverageStudy {
  private static final double ALPHA = 0.05;
  private static final double LEVEL = 0.95;

  /** Below this, the world's weights leave too few effective decisions for normal intervals. */
  private static final int ENOUGH = 500;

  /** Rows from which on a sequence is looked at. */
  private static final int FIRST_LOOK = 100;

  private static final List<Estimator> EXACT =
      List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust());

  static ChoiceStudy of(int decisions, int replicates) {
    return new ChoiceStudy(decisions, replicates, ChoiceWorld.standard());
  }

  @Override
  public String name() {
    return "one item";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    Choices choices = world.draw(decisions, 1, seed);
    LoggedDecisions log = choices.columns().build();
    double truth = world.targetValue();
    LogValues values =
        new LogValues(log.underTarget(Choices.REWARD, Weighting.PREFIX), log.units(), tally);
    Expectation exact = decisions < ENOUGH ? Expectation.TOO_FEW : Expectation.EXACT;
    for (Estimator estimator : EXACT) {
      tally.add(
          estimator.name(),
          "normal",
          exact,
          IntervalTally.normal(values.estimate(estimator)),
          truth);
    }
    values.student(exact, truth, EXACT);
    values.bootstrap(exact, truth, new UnitBootstrap(seed, replicates), EXACT);
    values.student(Expectation.MISSES, truth, List.of(new ClippedIps(2), new DirectMethod()));
    meanWeight(values, exact);
    bounds(values, choices, seed, truth);
    if (decisions >= ENOUGH) {
      differences(values, truth);
    }
  }

  private void meanWeight(LogValues values, Expectation exact) {
    WeightDiagnostics weights = WeightDiagnostics.of(values.columns(), 0);
    values
        .tally()
        .add("mean weight", "normal", exact, Optional.of(weights.meanWeightInterval()), 1);
  }

  private void bounds(LogValues values, Choices choices, long seed, double truth) {
    IntervalTally tally = values.tally();
    Estimate.Estimated ips = (Estimate.Estimated) values.estimate(new Ips());
    double variance = ips.standardError() * ips.standardError() * decisions;
    EmpiricalBernstein bernstein =
        new EmpiricalBernstein(decisions, ips.value(), variance, largestWeight());
    tally.add(
        "ips",
        "empirical bernstein",
        Expectation.AT_LEAST,
        Optional.of(bernstein.interval(LEVEL)),
        truth);
    double lower =
        Interval.student(ips.value(), ips.standardError(), decisions - 1.0, 1 - 2 * ALPHA).lower();
    tally.add("ips", "student, lower", Expectation.AT_LEAST, lower <= truth);
    TruncatedEmpiricalBernstein truncated = new TruncatedEmpiricalBernstein(seed, 1);
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(ALPHA);
    boolean always = true;
    for (int row = 0; row < decisions; row++) {
      double value = choices.weight(row) * choices.reward()[row];
      truncated.add(row, value);
      sequence.add(value);
      always &= row < FIRST_LOOK || sequence.lower() <= truth;
    }
    tally.add(
        "ips",
        "truncated empirical bernstein, lower",
        Expectation.AT_LEAST,
        truncated.lower(ALPHA).orElse(0) <= truth);
    tally.add("ips", "sequence, lower at every row", Expectation.AT_LEAST, always);
  }

  private double largestWeight() {
    double largest = 0;
    for (int kind = 0; kind < world.kinds().length; kind++) {
      for (int item = 0; item < world.items(); item++) {
        largest = Math.max(largest, world.target()[kind][item] / world.logging()[kind][item]);
      }
    }
    return largest;
  }

  private void differences(LogValues values, double truth) {
    double logging = world.loggingValue();
    Optional<Influence> mean = values.influence(new LoggingMean());
    values.difference("dr − logging", truth - logging, values.influence(new DoublyRobust()), mean);
    Optional<Influence> robust = values.influence(new SelfNormalizedDoublyRobust());
    values.difference("sndr − logging", truth - logging, robust, mean);
    if (robust.isPresent() && mean.isPresent()) {
      values
          .tally()
          .add(
              "sndr / logging − 1",
              Expectation.EXACT,
              robust.get().relativeTo(mean.get()).estimate(values.units()),
              truth / logging - 1);
    }
  }
}
