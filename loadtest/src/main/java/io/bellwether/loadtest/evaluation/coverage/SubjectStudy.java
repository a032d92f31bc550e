package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.ChoiceWorld;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.List;
import java.util.stream.LongStream;

/** Subjects who decide several times, alike each time: errors are by subject. */
record SubjectStudy(int decisions, int replicates, ChoiceWorld world) implements CoverageStudy {
  private static final int DECISIONS_EACH = 4;

  private static final List<Estimator> EXACT =
      List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust());

  static SubjectStudy of(int subjects, int replicates) {
    return new SubjectStudy(subjects, replicates, ChoiceWorld.standard());
  }

  @Override
  public String name() {
    return "four decisions a subject";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    LoggedDecisions log =
        world.draw(decisions, DECISIONS_EACH, seed).columns(DECISIONS_EACH).build();
    LogValues values =
        new LogValues(log.underTarget(Choices.REWARD, Weighting.PREFIX), log.units(), tally);
    double truth = world.targetValue();
    values.student(Expectation.EXACT, truth, EXACT);
    values.bootstrap(
        Expectation.EXACT, truth, new UnitBootstrap(seed, replicates), List.of(new Snips()));
    UnitIndex rows = UnitIndex.of(LongStream.range(0, log.decisions()).toArray());
    LogValues naive = new LogValues(values.columns(), rows, tally);
    tally.add(
        "snips",
        "student, as if rows were independent",
        Expectation.MISSES,
        IntervalTally.student(naive.estimate(new Snips())),
        truth);
  }
}
