package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.IndependentIps;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PseudoInverse;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.StandardSlateIps;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.SlateWorld;
import io.bellwether.loadtest.evaluation.synthetic.Slates;
import java.util.List;

/** Slates read from the top. */
record SlateStudy(int decisions, SlateWorld world, double truth) implements CoverageStudy {

  static SlateStudy of(int decisions) {
    SlateWorld world = SlateWorld.standard();
    return new SlateStudy(decisions, world, world.targetValue());
  }

  @Override
  public String name() {
    return "slates under a cascade";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    LoggedDecisions log = world.draw(decisions, seed).columns().build();
    LogValues values =
        new LogValues(log.underTarget(Slates.CLICK, Weighting.PREFIX), log.units(), tally);
    values.student(
        Expectation.EXACT,
        truth,
        List.of(
            new Ips(),
            new Snips(),
            new DoublyRobust(),
            new SelfNormalizedDoublyRobust(),
            new StandardSlateIps()));
    // They rest on positions that do not depend on each other, and on a value linear in items.
    values.student(Expectation.MISSES, truth, List.of(new IndependentIps(), new PseudoInverse()));
  }
}
