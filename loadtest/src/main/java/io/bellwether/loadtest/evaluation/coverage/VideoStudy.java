package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.evaluation.synthetic.FirstVideos;
import java.util.List;

/** The first decision of visits to the short-video world: clicks, and people who leave. */
record VideoStudy(
    int decisions, FirstVideos videos, FirstVideos.Truth target, FirstVideos.Truth logging)
    implements CoverageStudy {

  @Override
  public String name() {
    return "first videos of simulated people";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    LoggedDecisions log = videos.draw(decisions, seed);
    LogValues clicks =
        new LogValues(log.underTarget(FirstVideos.CLICK, Weighting.PREFIX), log.units(), tally);
    List<Estimator> all =
        List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust());
    clicks.student(Expectation.EXACT, target.click(), all);
    clicks.difference(
        "sndr − logging",
        target.click() - logging.click(),
        clicks.influence(new SelfNormalizedDoublyRobust()),
        clicks.influence(new LoggingMean()));
    clicks.student(Expectation.MISSES, target.click(), List.of(new DirectMethod()));
    LogValues leaves =
        new LogValues(log.underTarget(FirstVideos.LEAVE, Weighting.PREFIX), log.units(), tally);
    tally.add("snips of leaving", Expectation.EXACT, leaves.estimate(new Snips()), target.leave());
    leaves.difference(
        "snips of leaving − logging",
        target.leave() - logging.leave(),
        leaves.influence(new Snips()),
        leaves.influence(new LoggingMean()));
  }
}
